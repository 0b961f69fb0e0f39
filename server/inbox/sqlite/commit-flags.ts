const WAITING = 0
const CANCELLED = 1
const CLAIMED = 2

/** One flag for each job of a batch, shared by both threads: whoever sets it first decides. */
export function createClaims(count: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(count * Int32Array.BYTES_PER_ELEMENT))
}

/** The caller gives a job up. False when the worker is already committing it. */
export function cancel(claims: Int32Array, index: number): boolean {
  return Atomics.compareExchange(claims, index, WAITING, CANCELLED) !== CLAIMED
}

/** The worker takes a job for its COMMIT. False when it was given up or its deadline is past. */
export function claim(claims: Int32Array, index: number, deadline: number): boolean {
  if (Atomics.load(claims, index) === CLAIMED) return true
  if (isLate(claims, index, deadline)) return false
  return Atomics.compareExchange(claims, index, WAITING, CLAIMED) === WAITING
}

/** Whether nobody waits for a job any more; if its deadline is past, it is given up here. */
export function isLate(claims: Int32Array, index: number, deadline: number): boolean {
  if (Date.now() >= deadline) cancel(claims, index)
  return Atomics.load(claims, index) === CANCELLED
}
