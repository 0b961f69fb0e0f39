export { NOON } from '../../tools/harness/client.ts'

/** A deadline that no store misses, even on a busy machine. */
export const soon = () => Date.now() + 60_000
