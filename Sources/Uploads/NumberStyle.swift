/// How the figures of a status line are written for their reader.
///
/// Digits are those of ASCII in every language, and thousands are not grouped: a figure of a line has at
/// most four digits before its separator. Everything that programs read (requests, records, claims,
/// results) has a point whatever the language.
package enum NumberStyle: String, Hashable, Sendable, Codable, CaseIterable {
  case point, comma

  /// Languages that write decimals with a comma (CLDR 44, `latn` digits); every other one has a point.
  private static let commaLanguages: Set<String> = [
    "af", "az", "be", "bg", "bs", "ca", "cs", "da", "de", "el", "es", "et", "eu", "fi", "fo", "fr",
    "gl", "hr", "hu", "hy", "id", "is", "it", "ka", "kk", "lt", "lv", "mk", "nb", "nl", "nn", "no",
    "pl", "pt", "ro", "ru", "sk", "sl", "sq", "sr", "sv", "tr", "uk", "uz", "vi",
  ]
  /// Regions that have a point although their language has a comma.
  private static let pointLocales: Set<String> = [
    "de_CH", "de_LI", "es_DO", "es_GT", "es_HN", "es_MX", "es_NI", "es_PA", "es_PE", "es_PR",
    "es_SV", "es_US", "it_CH",
  ]

  /// The style of a locale such as `de_DE.UTF-8`; a point for one that is not known.
  package init(locale: String) {
    let name = String(locale.prefix { $0 != "." && $0 != "@" })
    let language = String(name.prefix { $0 != "_" && $0 != "-" })
    self =
      Self.commaLanguages.contains(language) && !Self.pointLocales.contains(name) ? .comma : .point
  }

  /// What POSIX says of an environment: the first that is set and not empty of LC_ALL, LC_NUMERIC and
  /// LANG.
  package init(environment: [String: String]) {
    let locale = ["LC_ALL", "LC_NUMERIC", "LANG"].compactMap { environment[$0] }
      .first { !$0.isEmpty }
    self.init(locale: locale ?? "C")
  }

  /// A number with a point, in this style.
  package func text(_ number: String) -> String {
    self == .comma ? number.replacing(".", with: ",") : number
  }
}
