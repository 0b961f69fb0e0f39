import { setFlagsFromString } from 'node:v8'

const HEAP_GROWTH_PERCENT = 50

/** Limits heap growth between collections. Call it after the start: V8 rejects Node's compiled code under other flags. */
export function boundHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`)
}
