import { AggregatorRegistry, Registry } from 'prom-client'
import type { Families } from './metrics.ts'

export const EXPOSITION_TYPE = Registry.PROMETHEUS_CONTENT_TYPE

/** Adds up the metrics of several processes; the aggregator of each metric decides how. */
export function combine(processes: Families[]): Registry {
  return AggregatorRegistry.aggregate(processes)
}

const CUMULATIVE_TYPES = ['counter', 'histogram']

/** The metrics to keep of a process that ended: Prometheus takes a sum that falls for a restart. */
export function keepCounts(families: Families): Families {
  return families.filter(({ type }) => CUMULATIVE_TYPES.includes(String(type)))
}
