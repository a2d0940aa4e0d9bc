@main
struct Onebar {
  static func main() {}
}
