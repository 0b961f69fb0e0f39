import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { sweepHeap } from '../../../server/ops/heap.ts'
import { until } from '../../helpers/raw.ts'

const { NODE_PERFORMANCE_GC_MAJOR: WHOLE, NODE_PERFORMANCE_GC_FLAGS_ALL_AVAILABLE_GARBAGE: ALL } =
  constants

test('the heap is looked through, whole', async () => {
  const sweeps: unknown[] = []
  const observer = new PerformanceObserver((list) => {
    const entries = list.getEntries() as (PerformanceEntry & { detail: unknown })[]
    sweeps.push(...entries.map(({ detail }) => detail))
  })
  observer.observe({ entryTypes: ['gc'] })
  await sweepHeap()
  await until(() => sweeps.length > 0)
  observer.disconnect()
  expect(sweeps).toContainEqual({ kind: WHOLE, flags: ALL })
})
