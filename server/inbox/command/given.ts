import type { RetentionPeriods } from '../../../shared/retention.ts'
import type { Config, DatabaseTarget } from '../../config.ts'
import type { MessageStatus } from '../message.ts'
import type { Store } from '../store.ts'

/** The inbox and the settings of a command. */
export interface Opened {
  /** Opens at the first transaction. */
  store: Store
  database: DatabaseTarget
  periods: RetentionPeriods
  backup: Config['backup']
}

export interface Given extends Opened {
  reference: string
  file: string
  email?: string
  status?: MessageStatus
  format?: string
  separator?: string
}
