import Testing

/// Programs with one or two threads, and one or two jobs.
@Suite("The orderings of parking and waking", .timeLimit(.minutes(15)))
struct ParkingOrderingsTests {
    typealias Site = ParkingOrderings.Site

    enum Case: CaseIterable {
        case oneParks, oneParksBesideLane, oneIsWoken, oneTimesOut, twoAreWoken, oneIsMade, slotIsGivenBack
        case oneIsRequired, oneIsRequiredWhileClaimed, oneBusyIsClaimed, oneLeavesWhileClaimed, twoAreMade
        case oneEnds, oneEndsAfterJob
        case oneLooks, oneLooksAndOneSleeps, oneLooksAndOneParks

        func program(_ orderings: Orderings<Site>) -> Program {
            switch self {
            case .oneParks: ParkingOrderings([.working], [[.send(0)]], looks: true, orderings).program
            case .oneParksBesideLane:
                ParkingOrderings([.working], [[.submit(0), .submit(1)]], orderings).program
            case .oneIsWoken: ParkingOrderings([.asleep], [[.send(0)]], isPrompt: true, orderings).program
            case .oneTimesOut: ParkingOrderings([.asleep], [[.send(0)]], timesOut: true, orderings).program
            case .twoAreWoken:
                ParkingOrderings([.asleep, .asleep], [[.send(0), .send(1)]], block: true, orderings).program
            case .oneIsMade: ParkingOrderings([.none], [[.send(0)], [.send(1)]], orderings).program
            case .oneIsRequired:
                ParkingOrderings([.none], [[.send(0)], [.requireThread]], timesOut: true, orderings).program
            case .oneIsRequiredWhileClaimed:
                // The claim of its thread slot is not followed by a thread: it may have been refused.
                ParkingOrderings(
                    [.none, .none], [[.send(1)], [.requireThread]], ready: [0], parked: 0b10, block: true,
                    orderings
                ).program
            case .oneBusyIsClaimed:
                // Its bit was put back for a thread that another sender has had made meanwhile.
                ParkingOrderings(
                    [.working, .none], [[.send(1)]], ready: [0], parked: 0b11, block: true, orderings
                ).program
            case .oneLeavesWhileClaimed:
                ParkingOrderings(
                    [.asleep, .none], [[.wakeFirst], [.send(1)]], ready: [0], parked: 0b10, block: true,
                    timesOut: true, orderings
                ).program
            case .twoAreMade:
                ParkingOrderings([.none, .none], [[.send(0)], [.send(1)]], block: true, orderings).program
            case .slotIsGivenBack:
                ParkingOrderings([.none], [[.send(0)], [.giveBackSlot]], parked: 0, orderings).program
            case .oneEnds: ParkingOrderings([.working], [[.retire]], orderings).program
            case .oneEndsAfterJob: ParkingOrderings([.working], [[.send(0), .retire]], orderings).program
            case .oneLooks: ParkingOrderings([.looking], [[.submit(0)]], orderings).program
            case .oneLooksAndOneSleeps:
                ParkingOrderings([.looking, .asleep], [[.submit(1)]], ready: [0], block: true, orderings)
                    .program
            case .oneLooksAndOneParks:
                ParkingOrderings([.looking, .working], [[.send(1)]], ready: [0], block: true, orderings)
                    .program
            }
        }
    }

    @Test(
        "as the code has them, each job is run, by a thread of its own if need be, and nothing races",
        arguments: Case.allCases)
    func holds(_ program: Case) throws {
        _ = try program.program(Orderings()).explore()
    }

    @Test(
        "weakened, each of them leaves a job beside a thread that sleeps, or races",
        arguments: Orderings<Site>.weakenings)
    func weakened(_ weakening: Orderings<ParkingOrderings.Site>.Weakening) {
        #expect(throws: Violation.self) {
            try Self.program(showing: weakening.site).program(Orderings(weakening: weakening)).explore()
        }
    }

    private static func program(showing site: Site) -> Case {
        switch site {
        case .makeReady, .claimReady, .lookAtReady, .lookAtParked, .setParked: .oneParks
        case .publish, .lookAtSlot: .oneParksBesideLane
        case .wake, .lookAtThreadSlot: .oneIsWoken
        case .claimParked: .oneIsMade
        case .leaveSlot, .claimSlot: .oneIsRequired
        case .vacate: .slotIsGivenBack
        case .wakeIfAsleep: .oneEnds
        case .lookAtLooking, .endLooking, .lockToTake, .unlockTaken, .lockToLook, .unlockLooked:
            .oneLooksAndOneSleeps
        case .lookToPassOn: .oneLooksAndOneParks
        }
    }
}
