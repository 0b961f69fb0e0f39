import type { Command } from './arguments.ts'
import { exportAll, list, show } from './browse.ts'
import type { CommandContext, Output } from './context.ts'
import { erase, purge } from './erase.ts'
import { importFile } from './import.ts'
import { backup, stats, verify } from './maintenance.ts'
import { archive, release, retry } from './triage.ts'

export type InboxCommand = Exclude<Command, { name: 'help' }>

/** Does what a command says, and yields what it prints. */
export function runCommand(context: CommandContext, command: InboxCommand): Output {
  switch (command.name) {
    case 'list':
      return list(context, command)
    case 'show':
      return show(context, command)
    case 'export':
      return exportAll(context, command)
    case 'import':
      return importFile(context, command)
    case 'release':
      return release(context, command)
    case 'retry':
      return retry(context, command)
    case 'archive':
      return archive(context, command)
    case 'erase':
      return erase(context, command)
    case 'purge':
      return purge(context)
    case 'backup':
      return backup(context, command)
    case 'verify':
      return verify(context)
    case 'stats':
      return stats(context)
  }
}
