import { execFile } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'

export interface Outcome {
  status: number
  stdout: string
  stderr: string
}

/** Runs a program to its end; never rejects, also when there is no such program. */
export function run(program: string, args: string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    const options = { maxBuffer: 64 * 1024 * 1024 }
    execFile(program, args, options, (error, stdout, stderr) => {
      const status = error ? Number(error.code) || 1 : 0
      resolve({ status, stdout, stderr })
    })
  })
}

export interface ImageFacts {
  /** In bytes, with all layers. */
  size: number
  user: string
  volumes: string[]
  command: string[]
  labels: Record<string, string>
  /** The command of the health check, as an argument list. */
  healthCheck: string[]
  layers: { size: string; by: string }[]
}

export interface Container {
  url: string
  exec(...command: string[]): Promise<Outcome>
  /** Sends SIGTERM, and leaves the container as it is. */
  terminate(): Promise<void>
  /** Waits for the end, and takes the container away; resolves to the exit code. */
  remove(): Promise<number>
}

export interface Engine {
  name: string
  /** Throws with the end of the build's output when it fails. */
  build(image: string, folder: string, settings: Record<string, string>): Promise<void>
  inspect(image: string): Promise<ImageFacts>
  /** A container on a read-only root, without capabilities, with one volume at /data. */
  start(image: string, options: { volume: string; port: number }): Promise<Container>
  removeVolume(volume: string): Promise<void>
}

const CANDIDATES = ['docker', 'podman']
const ATTEMPTS = 100
const BETWEEN_ATTEMPTS = 100

/** The first container engine that answers; undefined when there is none. */
export async function findEngine(): Promise<Engine | undefined> {
  for (const name of CANDIDATES) {
    const { status } = await run(name, ['info'])
    if (status === 0) return createEngine(name)
  }
  return undefined
}

function createEngine(name: string): Engine {
  const call = async (...args: string[]) => {
    const { status, stdout, stderr } = await run(name, args)
    if (status !== 0) throw new Error(`${name} ${args.join(' ')}:\n${stderr.slice(-2000)}`)
    return stdout.trim()
  }
  // Podman's own format has no health check, and it puts writable folders over a read-only root.
  const podman = name === 'podman'
  const format = podman ? ['--format', 'docker'] : []
  const readOnly = podman ? ['--read-only', '--read-only-tmpfs=false'] : ['--read-only']

  return {
    name,

    async build(image, folder, settings) {
      const args = Object.entries(settings).flatMap(([key, value]) => [
        '--build-arg',
        `${key}=${value}`,
      ])
      await call('build', ...format, '-t', image, ...args, folder)
    },

    async inspect(image) {
      const [facts] = JSON.parse(await call('image', 'inspect', image))
      const { User, Volumes, Cmd, Labels, Healthcheck } = facts.Config
      const history = await call(
        'history',
        '--no-trunc',
        '--format',
        '{{.Size}}\t{{.CreatedBy}}',
        image,
      )
      return {
        size: facts.Size,
        user: User,
        volumes: Object.keys(Volumes ?? {}),
        command: Cmd,
        labels: Labels ?? {},
        healthCheck: (facts.Healthcheck ?? Healthcheck)?.Test?.slice(1) ?? [],
        layers: history.split('\n').map((line) => {
          const [size = '', by = ''] = line.split('\t')
          return { size, by }
        }),
      }
    },

    async start(image, { volume, port }) {
      const safe = [...readOnly, '--cap-drop=ALL', '--security-opt=no-new-privileges']
      const place = ['-v', `${volume}:/data`, '-p', `127.0.0.1:${port}:${port}`]
      const id = await call('run', '-d', ...safe, ...place, '-e', `PORT=${port}`, image)
      const url = `http://127.0.0.1:${port}`
      const container: Container = {
        url,
        exec: (...command) => run(name, ['exec', id, ...command]),
        async terminate() {
          await call('kill', '--signal=TERM', id)
        },
        async remove() {
          const status = Number(await call('wait', id))
          await call('rm', id)
          return status
        },
      }
      await waitUntilReady(url).catch(async (error) => {
        const { stdout, stderr } = await run(name, ['logs', id])
        await run(name, ['rm', '-f', id])
        throw new Error(`${error.message}:\n${stdout}${stderr}`)
      })
      return container
    },

    async removeVolume(volume) {
      await call('volume', 'rm', volume)
    },
  }
}

async function waitUntilReady(url: string): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const ready = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (ready) return
    await wait(BETWEEN_ATTEMPTS)
  }
  throw new Error('The container is not ready')
}
