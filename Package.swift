// swift-tools-version: 6.2
import PackageDescription

// The order of the targets is the order of dependency: each may import only targets above it.
// The modules from Quantities to Reports are pure; Tests/TidyTests holds both rules.
let package = Package(
  name: "onebar",
  products: [.executable(name: "onebar", targets: ["onebar"])],
  targets: [
    door("CLinux", links: []),
    door("CCurl", links: ["curl"]),
    door("COpenSSL", links: ["ssl", "crypto"]),
    door("CYAML", links: ["yaml"]),
    door("CPCRE", links: ["pcre2-8"]),
    door("CTurboJPEG", links: ["turbojpeg"]),
    door("CExif", links: ["exif"]),

    // Rounding is libm; without Foundation nothing else links it.
    .target(name: "Quantities", linkerSettings: [.linkedLibrary("m")]),
    .target(name: "JSON"),
    .target(name: "LinkModel", dependencies: ["Quantities"]),
    .target(
      name: "Captures", dependencies: ["Quantities", "COpenSSL", "CTurboJPEG", "CExif"]),
    .target(name: "ScratchHTTP", dependencies: ["Quantities"]),
    .target(
      name: "ScratchEngine", dependencies: ["Quantities", "JSON", "Captures", "ScratchHTTP"]),
    .target(name: "Uploads", dependencies: ["Quantities", "Captures"]),
    .target(
      name: "Scenarios",
      dependencies: [
        "Quantities", "JSON", "LinkModel", "Captures", "ScratchEngine", "Uploads", "CYAML", "CPCRE",
      ]),
    .target(
      name: "Reports", dependencies: ["Quantities", "JSON", "Captures", "Uploads", "Scenarios"]),

    .target(name: "EventLoop", dependencies: ["Quantities", "CLinux", "COpenSSL"]),
    .target(
      name: "ThrottlingProxy",
      dependencies: ["Quantities", "JSON", "LinkModel", "ScratchHTTP", "EventLoop"]),
    .target(
      name: "EngineServer",
      dependencies: ["Quantities", "Captures", "ScratchHTTP", "ScratchEngine", "EventLoop"]),
    .target(
      name: "UploadAdapters",
      dependencies: ["Quantities", "Captures", "Uploads", "EventLoop", "CCurl", "CLinux"]),
    .target(
      name: "Bench",
      dependencies: [
        "Quantities", "LinkModel", "Captures", "ScratchHTTP", "ScratchEngine", "Uploads",
        "Scenarios", "Reports", "EventLoop", "ThrottlingProxy", "EngineServer", "UploadAdapters",
        "CLinux",
      ]),
    .executableTarget(
      name: "onebar",
      dependencies: [
        "Quantities", "JSON", "LinkModel", "Captures", "ScratchEngine", "Uploads", "Scenarios",
        "Reports",
        "EventLoop", "ThrottlingProxy", "EngineServer", "UploadAdapters", "Bench", "CLinux",
      ]),

    .executableTarget(
      name: "linkbench", dependencies: ["Quantities", "Captures", "EventLoop", "CLinux"]),

    door("CTracer", in: "Tests", links: []),
    .target(
      name: "TestSupport",
      dependencies: [
        "Quantities", "Captures", "ScratchEngine", "Uploads", "EventLoop", "Bench", "CLinux",
        "COpenSSL", "CTracer",
      ],
      path: "Tests/TestSupport"),
    tests("Quantities"),
    tests("JSON"),
    tests("LinkModel"),
    tests("Captures", and: ["COpenSSL", "CTurboJPEG"]),
    tests("ScratchHTTP"),
    tests("ScratchEngine", and: ["Captures", "ScratchHTTP"]),
    tests("Uploads", and: ["Captures", "Bench"]),
    tests("Scenarios", and: ["LinkModel", "Captures", "ScratchEngine", "Uploads"]),
    tests("Reports", and: ["JSON", "Captures", "Uploads", "Scenarios"]),
    tests("EventLoop", and: ["CLinux"]),
    tests(
      "ThrottlingProxy", and: ["JSON", "LinkModel", "ScratchHTTP", "EventLoop", "CLinux"]),
    tests(
      "EngineServer",
      and: ["Captures", "ScratchHTTP", "ScratchEngine", "EventLoop", "CLinux", "COpenSSL"]),
    tests("UploadAdapters", and: ["Captures", "Uploads", "EventLoop"]),
    tests(
      "Bench",
      and: [
        "LinkModel", "Captures", "ScratchHTTP", "ScratchEngine", "Uploads", "Scenarios", "Reports",
        "EventLoop", "ThrottlingProxy", "EngineServer", "UploadAdapters",
      ]),
    .testTarget(name: "TidyTests", dependencies: ["TestSupport"]),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "TestSupport", "Quantities", "JSON", "LinkModel", "Captures", "ScratchEngine", "Uploads",
        "Scenarios", "Reports", "EventLoop", "ThrottlingProxy", "EngineServer", "Bench", "CLinux",
        "onebar",
      ]),
  ],
  swiftLanguageModes: [.v6]
)

/// A C library behind a module map and typed shims.
func door(
  _ name: String, in folder: String = "Sources/CLibraries", links libraries: [String]
) -> Target {
  .target(
    name: name, path: "\(folder)/\(name)",
    cSettings: [.enableWarning("all"), .treatAllWarnings(as: .error)],
    linkerSettings: libraries.map { .linkedLibrary($0) })
}

func tests(_ module: String, and others: [String] = []) -> Target {
  .testTarget(
    name: "\(module)Tests",
    dependencies: ["TestSupport"]
      + Set([module, "Quantities"] + others).sorted().map { .init(stringLiteral: $0) })
}

for target in package.targets where !target.name.hasPrefix("C") || target.name == "Captures" {
  target.swiftSettings = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  ]
}
