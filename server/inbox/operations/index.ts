import * as digest from './digest.ts'
import * as erase from './erase.ts'
import * as mail from './mail.ts'
import * as mailQuota from './mail-quota.ts'
import * as messages from './messages.ts'
import * as overview from './overview.ts'
import * as submit from './submit.ts'
import * as triage from './triage.ts'
import * as upkeep from './upkeep.ts'

/** Only the thread that runs operations loads them: the site starts faster without. */
export const FUNCTIONS = {
  ...digest,
  ...erase,
  ...mail,
  ...mailQuota,
  ...messages,
  ...overview,
  ...submit,
  ...triage,
  ...upkeep,
}
