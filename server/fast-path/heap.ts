import { setFlagsFromString } from 'node:v8'

const HEAP_GROWTH_PERCENT = 50

/** Bounds how far the heap grows between collections. Call it after the start: V8's compiled code depends on its flags. */
export function boundHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`)
}
