// Loads files over HTTP with Foundation's URLSession. A program of its own, so that nothing of Gannet links FoundationNetworking:
// peers/http.sh compiles it with swiftc.
//
//     http_urlsession COUNT AT_ONCE URL_PREFIX
import Foundation
import FoundationNetworking

@main struct Peer {
    static func load(_ url: URL, _ session: URLSession) async throws -> Int {
        try await withCheckedThrowingContinuation { continuation in
            session.dataTask(with: url) { data, response, error in
                if let data, (response as? HTTPURLResponse)?.statusCode == 200 {
                    continuation.resume(returning: data.count)
                } else {
                    continuation.resume(throwing: error ?? URLError(.badServerResponse))
                }
            }.resume()
        }
    }

    static func processorSeconds() -> Double {
        var usage = rusage()
        getrusage(0, &usage)
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    static func main() async throws {
        let words = CommandLine.arguments
        guard words.count == 4, let count = Int(words[1]), let atOnce = Int(words[2]) else {
            print("http_urlsession COUNT AT_ONCE URL_PREFIX")
            exit(64)
        }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = atOnce
        configuration.urlCache = nil
        let session = URLSession(configuration: configuration)
        let (cpu, start) = (processorSeconds(), ContinuousClock.now)
        let bytes = try await withThrowingTaskGroup(of: Int.self) { group in
            var next = 0
            func begin() {
                let url = URL(string: "\(words[3])\(next)")!
                next += 1
                group.addTask { try await load(url, session) }
            }
            while next < min(atOnce, count) { begin() }
            var bytes = 0
            while let loaded = try await group.next() {
                bytes += loaded
                if next < count { begin() }
            }
            return bytes
        }
        let elapsed = ContinuousClock.now - start
        let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
        var usage = rusage()
        getrusage(0, &usage)
        print(
            "{\"program\": \"URLSession\", \"count\": \(count), \"at_once\": \(atOnce), \"bytes\": \(bytes), "
                + "\"requests_per_s\": \(Int(Double(count) / seconds)), \"cpu_s\": \(processorSeconds() - cpu), "
                + "\"wall_s\": \(seconds), \"peak_mib\": \(usage.ru_maxrss / 1024)}")
        exit(0)
    }
}
