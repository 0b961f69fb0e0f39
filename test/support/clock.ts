/** A moment long after any form was opened. */
export const NOON = Date.UTC(2026, 4, 4, 12)

/** A deadline that no store misses, however busy the machine is. */
export const soon = () => Date.now() + 60_000
