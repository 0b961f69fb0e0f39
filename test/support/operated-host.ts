import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  type WriteFileOptions,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { createStore } from '../../server/inbox/create-store.ts'
import { run } from '../../tools/harness/process.ts'
import { ROOT } from '../../tools/harness/project.ts'
import { runInbox } from './inbox.ts'

/** [part of a call, exit status or `kill` of deploy/site before or after it, output] */
export type Fault = [part: string, status: number | 'kill' | 'kill-after', output?: string]

const FILES = ['deploy/site', 'compose.yaml', 'compose.postgres.yaml', 'Caddyfile']
const COPIED = [...FILES, '.gitignore', '.env.example', 'server/inbox/schema.ts']

/**
 * A machine with a checkout whose site runs the commit `old`; origin has one commit more, `newer`, and `changed` changes
 * the tables. stand-in-docker.sh stands in for docker, and `curl` succeeds.
 */
export function createOperatedHost(root: string, kind: 'sqlite' | 'postgres' = 'sqlite') {
  const folder = mkdtempSync(join(root, 'play-'))
  const host = join(folder, 'host')
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.ca', ...args], {
      cwd: host,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  const write = (file: string, text: string, options: WriteFileOptions = {}) =>
    writeFileSync(join(folder, file), text, options)
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  function commit(file: string, text: string) {
    write(`host/${file}`, text, { flag: 'a' })
    git('add', '--all')
    git('commit', '--quiet', '--message', file)
    return git('rev-parse', '--short=8', 'HEAD')
  }

  const FOLDERS = ['host', 'bin', 'data', 'backups', 'images', 'containers', 'runs']
  for (const name of FOLDERS) mkdirSync(join(folder, name))
  for (const file of COPIED) cpSync(join(ROOT, file), join(host, file))
  git('init', '--quiet', '--initial-branch=main')
  const old = commit('README.md', 'one')
  const newer = commit('README.md', 'two')
  git('clone', '--quiet', '--bare', '.', join(folder, 'origin'))
  git('remote', 'add', 'origin', join(folder, 'origin'))
  const changed = commit('server/inbox/schema.ts', '\n')
  git('checkout', '--quiet', '--detach', old)

  const docker = readFileSync(join(import.meta.dirname, 'stand-in-docker.sh'), 'utf8')
  write('bin/docker', docker, { mode: 0o755 })
  write('bin/curl', '#!/bin/sh\necho "curl $*" >>"$PLAY/calls"\n', { mode: 0o755 })
  write(
    'host/.env',
    `COMPOSE_FILE=${kind === 'sqlite' ? 'compose.yaml' : 'compose.postgres.yaml'}
REVISION=${old}
SITE_HOST=localhost
SMTP_URL='smtps://site:secret@mail.example.ca'
MAIL_FROM=site@example.ca
MAIL_TO=office@example.ca
`,
  )
  /** Says which build runs. */
  function setBuild(revision: string) {
    write(`images/${revision}`, '')
    write('host/.env', read('host/.env').replace(/^REVISION=.*/m, `REVISION=${revision}`))
    const sites = kind === 'sqlite' ? ['site'] : ['site-1', 'site-2', 'database']
    for (const service of [...sites, 'caddy', 'backup']) {
      write(`containers/${service}`, `rg-website:${revision}\n`)
      write(`runs/${service}`, '')
    }
  }
  setBuild(old)

  return {
    ...{ folder, host, old, newer, changed, git, commit, read, write, setBuild },
    remove: (file: string) => rmSync(join(folder, file)),
    /** Runs deploy/site; resolves to its exit status, its output and the calls of docker and curl. */
    async site(words: string, faults: Fault[] = [], answers?: string) {
      // The stand-in expands `\\n` in the output.
      const lines = faults.map((fault) => `${fault.join('\t').replaceAll('\n', '\\n')}\n`)
      write('faults', lines.join(''))
      write('calls', '')
      const act = `echo $$ >"$PLAY/pid"; cd '${host}' && exec bash deploy/site ${words}`
      // `script` lends a terminal.
      const script = `printf '${answers}' | script -qec "$ACT" /dev/null`
      const { status, stdout, stderr } = await run(
        'sh',
        ['-c', answers ? script : `${act} </dev/null`],
        {
          ACT: act,
          PLAY: folder,
          IMAGE: ROOT,
          PATH: [join(folder, 'bin'), dirname(process.execPath), process.env.PATH].join(':'),
        },
      )
      return { status, text: stdout + stderr, calls: read('calls').split('\n') }
    },
    /** Runs the inbox command over the store. */
    inbox(...args: string[]) {
      const database = { kind: 'sqlite', path: `${folder}/data/inbox.sqlite` } as const
      return runInbox({ open: () => createStore(database), database }, ...args)
    },
    setting: (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(read('host/.env'))?.[1],
    head: () => git('rev-parse', '--short=8', 'HEAD'),
  }
}
