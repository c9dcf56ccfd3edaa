import BenchmarkSupport
import Foundation
import GannetCore
import GannetImages

// Caches: memory under several threads, storing and reading against other ways of keeping bytes, and how cost grows with entries.
//
//     CacheBenchmark [FOLDER] [memory] [disk] [sync] [growth] [million]       all but the last without arguments
//
// FOLDER, an absolute path, should be on the disk that counts; it is made and removed.

let arguments = Array(CommandLine.arguments.dropFirst())
let named = arguments.first { $0.hasPrefix("/") }
let folder = named ?? FileManager.default.temporaryDirectory.path + "/gannet-cache-benchmark"
let wanted = Set(arguments.filter { $0 != named })
func wants(_ name: String) -> Bool { wanted.isEmpty ? name != "million" : wanted.contains(name) }

try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
if wants("memory") { try measureMemory() }
if wants("disk") { try await measureDisk(folder + "/disk", sync: false) }
if wants("sync") { try await measureDisk(folder + "/sync", sync: true) }
if wants("growth") { for count in [10_000, 100_000] { try await measureGrowth(folder + "/growth", count) } }
if wants("million") { try await measureGrowth(folder + "/growth", 1_000_000) }
try FileManager.default.removeItem(atPath: folder)
