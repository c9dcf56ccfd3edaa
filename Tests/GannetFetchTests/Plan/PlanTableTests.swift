import GannetCore
import GannetFetch
import Testing

/// The code of the plan and its tables say the same of every combination of facts.
@Suite struct PlanTableTests {
    private typealias Named = PlanSamples.Named<LoadFinding>

    private struct Sample {
        var name: String
        var value: LoadFinding
        var mask: UInt64
    }

    /// Compares the plan with the table, and counts the rows that were needed.
    private struct Comparison {
        let table: PlanTable
        var used: Set<Int> = []
        var count = 0
        var differences: [String] = []

        init(_ heading: String, conditions: Set<Int>) throws { table = try PlanTable(heading, conditions: conditions) }

        mutating func compare(_ facts: LoadFacts, _ masks: [UInt64]) {
            count += 1
            let step = PlanTable.text(LoadPlan.next(facts))
            let row = table.match(masks)
            if let row { used.insert(row) }
            let expected = row.map { table.rows[$0].step } ?? "nothing"
            if step != expected { differences.append("\(facts): \(step), and the table says \(expected)") }
        }

        func masks(_ samples: [Named]) -> [Sample] {
            samples.map { Sample(name: $0.name, value: $0.value, mask: table.mask(PlanTable.names(of: $0))) }
        }

        func expectEqual() {
            #expect(differences.isEmpty, "\(differences.count) of \(count), the first ones: \(differences.prefix(3))")
            let needless = table.rows.indices.filter { !used.contains($0) }
            #expect(needless.isEmpty, "no facts reach the rows \(needless)")
            #expect(!table.rows.isEmpty && count > 0)
        }
    }

    private static func facts(
        _ lookup: LookupPolicy, _ demands: LoadDemands, _ memory: Sample, _ other: Sample, _ disk: Sample, _ original: Sample
    ) -> LoadFacts {
        var facts = LoadFacts(lookup: lookup, demands: demands, now: PlanSamples.now)
        (facts.memory, facts.alternative) = (memory.value, other.value)
        (facts.disk, facts.original) = (disk.value, original.value)
        return facts
    }

    /// Every combination of tiers for the conditions that count, then every condition and every sample, a tier at a time.
    @Test func `Before the source is asked`() throws {
        var comparison = try Comparison("Before the source is asked", conditions: [1])
        let (few, images) = (comparison.masks(PlanSamples.fewImages), comparison.masks(PlanSamples.images))
        let originals = comparison.masks(PlanSamples.originals)
        let (absent, stale) = (few[1], few[4])
        for lookup in LookupPolicy.allCases {
            let lookupMask = comparison.table.mask([lookup.rawValue])
            for demands in PlanSamples.allDemands {
                let demandsMask = comparison.table.mask(PlanTable.names(of: demands))
                func compare(_ memory: Sample, _ other: Sample, _ disk: Sample, _ original: Sample) {
                    comparison.compare(
                        Self.facts(lookup, demands, memory, other, disk, original),
                        [lookupMask, demandsMask, memory.mask, other.mask, disk.mask, original.mask])
                }
                for sample in images {
                    compare(sample, absent, absent, absent)
                    compare(absent, sample, absent, absent)
                    compare(absent, absent, sample, absent)
                }
                for original in originals {
                    for disk in few { compare(absent, absent, disk, original) }
                    compare(stale, absent, absent, original)
                }
                guard demands.isSubset(of: .limitsAge) else { continue }
                for memory in few {
                    for other in few { for disk in few { for original in few { compare(memory, other, disk, original) } } }
                }
            }
        }
        comparison.expectEqual()
    }

    @Test func `After a failure`() throws {
        var comparison = try Comparison("After a failure", conditions: [])
        for failure in PlanSamples.failures {
            let images = comparison.masks(PlanSamples.fallbacks(for: failure))
            let originals = comparison.masks(PlanSamples.originalFallbacks(for: failure))
            // One of each name.
            let few = images.indices.filter { index in !images[..<index].contains { $0.name == images[index].name } }.map {
                images[$0]
            }
            let absent = images[1]
            for lookup in LookupPolicy.allCases {
                let lookupMask = comparison.table.mask([lookup.rawValue])
                for demands in lookup == .automatic ? PlanSamples.allDemands : [[]] {
                    let demandsMask = comparison.table.mask(PlanTable.namesAfterFailure(of: demands))
                    func compare(_ memory: Sample, _ disk: Sample, _ original: Sample) {
                        var facts = Self.facts(lookup, demands, memory, absent, disk, original)
                        facts.answer = .failed(failure)
                        comparison.compare(facts, [lookupMask, demandsMask, memory.mask, disk.mask, original.mask])
                    }
                    for sample in images {
                        compare(sample, absent, absent)
                        compare(absent, sample, absent)
                    }
                    for original in originals { compare(absent, absent, original) }
                    guard demands == [] else { continue }
                    for memory in few { for disk in few { for original in few { compare(memory, disk, original) } } }
                }
            }
        }
        comparison.expectEqual()
    }

    @Test func `After an answer`() throws {
        var comparison = try Comparison("After an answer", conditions: [0])
        let few = comparison.masks(PlanSamples.fewImages)
        for arrival in PlanSamples.allArrivals {
            let arrivalMask = comparison.table.mask(PlanTable.names(of: arrival))
            for lookup in LookupPolicy.allCases {
                for memory in few {
                    for disk in few {
                        for original in few {
                            var facts = Self.facts(lookup, [], memory, few[3], disk, original)
                            facts.answer = .arrived(arrival)
                            comparison.compare(facts, [arrivalMask, memory.mask, disk.mask, original.mask])
                        }
                    }
                }
            }
        }
        comparison.expectEqual()
    }

    /// HTTP judges stored responses only where they are judged at all.
    @Test(arguments: LookupPolicy.allCases)
    func `What HTTP is asked`(_ lookup: LookupPolicy) {
        for demands in PlanSamples.allDemands {
            let facts = LoadFacts(lookup: lookup, demands: demands, now: PlanSamples.now)
            #expect(facts.isForced == (lookup == .revalidate || demands.contains(.forcesRevalidation)))
            #expect(facts.obeysHTTP == [.automatic, .revalidate].contains(lookup))
            #expect(facts.showsStored == (lookup == .revalidate))
        }
    }
}
