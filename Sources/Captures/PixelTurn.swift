extension PixelPlanes {
  /// The picture as it stands upright, when it was stored with this orientation.
  ///
  /// The colour differences have to be stored as finely in one direction as in the other.
  func upright(from orientation: Orientation) -> PixelPlanes {
    guard orientation != .upright else { return self }
    precondition(sampling == .halved || sampling == .grey)
    var result =
      orientation.isSideways
      ? PixelPlanes(width: height, height: width, sampling: sampling)
      : PixelPlanes(width: width, height: height, sampling: sampling)
    pixels.withUnsafeBufferPointer { source in
      result.pixels.withUnsafeMutableBufferPointer { target in
        for (index, (old, new)) in zip(planes, result.planes).enumerated() {
          // Brightness is stored to an even number of columns and rows: the last may be filling.
          let columns = index == 0 ? result.width : new.width
          let rows = index == 0 ? result.height : new.height
          let walk = PixelWalk(
            orientation, columns: orientation.isSideways ? rows : columns,
            rows: orientation.isSideways ? columns : rows, stride: old.width)
          var at = new.start
          for y in 0..<new.height {
            var from = old.start &+ walk.first &+ min(y, rows - 1) &* walk.down
            var x = 0
            while x < new.width {
              target[at] = source[from]
              x &+= 1
              if x < columns { from = from &+ walk.right }
              at &+= 1
            }
          }
        }
      }
    }
    return result
  }
}

/// Where in a stored plane the pixels of the upright one are found.
private struct PixelWalk {
  /// The place of the upper left one.
  let first: Int
  /// From one to the next in its row.
  let right: Int
  /// From one to the one below it.
  let down: Int

  init(_ orientation: Orientation, columns: Int, rows: Int, stride row: Int) {
    let lastColumn = columns - 1
    let lastRow = (rows - 1) * row
    (first, right, down) =
      switch orientation {
      case .upright: (0, 1, row)
      case .mirror: (lastColumn, -1, row)
      case .halfTurn: (lastRow + lastColumn, -1, -row)
      case .flip: (lastRow, 1, -row)
      case .transpose: (0, row, 1)
      case .turnRight: (lastRow, -row, 1)
      case .transverse: (lastRow + lastColumn, -row, -1)
      case .turnLeft: (lastColumn, row, -1)
      }
  }
}
