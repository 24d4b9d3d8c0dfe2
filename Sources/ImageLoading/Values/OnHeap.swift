/// Keeps a large value that is seldom there on the heap: nil takes a word, and copying it costs a count.
///
/// As a value: whoever changes one gets a new place for it.
@propertyWrapper
package struct OnHeap<Value: Sendable>: Sendable {
    fileprivate indirect enum Place: Sendable {
        case value(Value)
    }

    fileprivate var place: Place?

    /// Keeps a value, or none.
    package init(wrappedValue: Value?) {
        place = wrappedValue.map(Place.value)
    }

    /// The value.
    package var wrappedValue: Value? {
        get {
            guard case .value(let value) = place else { return nil }
            return value
        }
        set { place = newValue.map(Place.value) }
    }
}

extension OnHeap.Place: Equatable where Value: Equatable {}
extension OnHeap.Place: Hashable where Value: Hashable {}
extension OnHeap: Equatable where Value: Equatable {}
extension OnHeap: Hashable where Value: Hashable {}
