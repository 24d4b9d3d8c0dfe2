/// Keeps a large value that is seldom there on the heap: nil takes a word, and copying it costs a count.
///
/// As a value: whoever changes one gets a new place for it.
@propertyWrapper
struct OnHeap<Value: Sendable>: Sendable {
    private indirect enum Place: Sendable {
        case value(Value)
    }

    private var place: Place?

    init(wrappedValue: Value?) {
        place = wrappedValue.map(Place.value)
    }

    var wrappedValue: Value? {
        get {
            guard case .value(let value) = place else { return nil }
            return value
        }
        set { place = newValue.map(Place.value) }
    }
}
