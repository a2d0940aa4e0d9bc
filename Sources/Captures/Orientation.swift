/// Which way up a photo was stored: what has to be done to it so that it stands upright.
///
/// The numbers are those of EXIF 2.32, section 4.6.4, tag 0x0112.
package enum Orientation: Int, Hashable, Sendable, CaseIterable {
  case upright = 1
  /// Left and right are exchanged.
  case mirror
  case halfTurn
  /// Top and bottom are exchanged.
  case flip
  /// Rows and columns are exchanged.
  case transpose
  /// A quarter turn clockwise.
  case turnRight
  /// Rows and columns are exchanged, along the other diagonal.
  case transverse
  /// A quarter turn anticlockwise.
  case turnLeft

  /// The upright picture is as wide as the stored one is high.
  package var isSideways: Bool { rawValue > 4 }
}
