/** A moment long after any form was opened. */
export const NOON = Date.UTC(2026, 4, 4, 12)

/** A deadline that no healthy store misses. */
export const soon = () => Date.now() + 5000
