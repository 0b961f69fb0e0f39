import { AggregatorRegistry, Registry } from 'prom-client'
import type { Families } from './metrics.ts'

export const EXPOSITION_TYPE = Registry.PROMETHEUS_CONTENT_TYPE

/** What several processes counted, as one; each metric says how it is put together. */
export function combine(processes: Families[]): Registry {
  return AggregatorRegistry.aggregate(processes)
}

const ONLY_RISES = ['counter', 'histogram']

/** What must not be forgotten of a process that is gone: a sum that falls looks like a restart. */
export function keepCounts(families: Families): Families {
  return families.filter(({ type }) => ONLY_RISES.includes(String(type)))
}
