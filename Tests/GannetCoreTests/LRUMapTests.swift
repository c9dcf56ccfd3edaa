import GannetCore
import Testing

struct LRUMapTests {
    /// Ten thousand courses of six operations on three keys, against a list; half of them with room for two values.
    @Test(arguments: [2, Int.max]) func everyCourseIsThatOfAList(maximumCount: Int) {
        let operations = 10
        for course in stride(from: 0, to: 1_000_000, by: 194) {
            var tested = LRUMap<Int, Int>(maximumCount: maximumCount)
            // The newest last.
            var list: [(key: Int, value: Int)] = []
            var rest = course
            for step in 0..<6 {
                let (operation, key) = (rest % operations, rest % 3)
                rest /= operations
                let known = list.firstIndex { $0.key == key }
                let old = known.map { list[$0].value }
                #expect(tested[key] == old)
                switch operation {
                case 0..<3:
                    #expect(tested.find(key) == old)
                    if let known { list.append(list.remove(at: known)) }
                case 3..<6:
                    if let known { list.remove(at: known) }
                    list.append((key, step))
                    let gone = list.count > maximumCount ? list.removeFirst().value : old
                    #expect(tested.put(step, for: key) == gone)
                case 6..<9:
                    #expect(tested.remove(key) == old)
                    if let known { list.remove(at: known) }
                default:
                    #expect(tested.removeOldest() == list.first?.value)
                    if !list.isEmpty { list.removeFirst() }
                }
                #expect(tested.count == list.count)
            }
            let least = list.first?.value ?? 0
            #expect(tested.contains { $0 == least } == !list.isEmpty)
            tested.removeAll { $0 == least }
            for entry in list.dropFirst() { #expect(tested.removeOldest() == entry.value) }
            #expect(tested.isEmpty && tested.removeOldest() == nil)
        }
    }
}
