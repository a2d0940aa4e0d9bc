package import Uploads

/// A disk of the virtual world, kept over the client's restarts.
package protocol VirtualDisk: FileSystem {
  /// The process that used it was killed: its locks are free, and what a disk may lose is lost.
  func crash()
}

extension SimulatedDisk: VirtualDisk {
  /// A killed process leaves what it has written: the page cache outlives it.
  package func crash() { restart() }
}
