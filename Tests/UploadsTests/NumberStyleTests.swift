import Testing
import Uploads

struct NumberStyleTests {
  @Test(arguments: [
    ("en_US.UTF-8", NumberStyle.point), ("de_DE", .comma), ("fr_CA.UTF-8@euro", .comma),
    ("ar_EG", .point), ("hi_IN", .point), ("de_CH", .point), ("pt-BR", .comma), ("C", .point),
    ("POSIX", .point), ("", .point), ("de", .comma), ("xx_XX", .point),
  ])
  func `a language has its separator, and one that is not known has a point`(
    locale: String, style: NumberStyle
  ) {
    #expect(NumberStyle(locale: locale) == style)
  }

  @Test func `the first variable that is set and not empty counts`() {
    #expect(NumberStyle(environment: [:]) == .point)
    #expect(NumberStyle(environment: ["LANG": "de_DE"]) == .comma)
    #expect(NumberStyle(environment: ["LANG": "de_DE", "LC_NUMERIC": "en_US"]) == .point)
    #expect(NumberStyle(environment: ["LC_ALL": "", "LC_NUMERIC": "fr_FR"]) == .comma)
    #expect(NumberStyle(environment: ["LC_ALL": "C", "LANG": "de_DE"]) == .point)
  }
}
