import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Container, type Engine, type ImageFacts, run, waitUntilReady } from './engine.ts'

/**
 * What a container runtime does, with the kernel's own means: a root that can only be read, the volume, /proc
 * and /dev, then the numeric user, without privileges to gain.
 */
const CONFINE = `
  mount --bind "$ROOT" "$ROOT"
  mount --bind "$VOLUME" "$ROOT/data"
  mount -t proc proc "$ROOT/proc"
  mount --rbind /dev "$ROOT/dev"
  mount -o remount,bind,ro "$ROOT"
  exec "$@"`

interface ImageConfig {
  Env: string[]
  User: string
  WorkingDir: string
  Cmd: string[]
  Labels: Record<string, string> | null
  Volumes: Record<string, object> | null
  Healthcheck?: { Test: string[] }
}

const volumeFolder = (volume: string) => join(tmpdir(), volume)

/**
 * Buildah for root, where there is neither Docker nor Podman. STORAGE_DRIVER names its driver: `vfs` where
 * overlays cannot be mounted; BUILDAH_ISOLATION=chroot is for places that are containers themselves.
 */
export function createBuildah(): Engine {
  const driver = process.env.STORAGE_DRIVER
  const storage = driver ? ['--storage-driver', driver] : []
  const call = async (...args: string[]) => {
    const { status, stdout, stderr } = await run('buildah', [...storage, ...args])
    if (status !== 0) throw new Error(`buildah ${args.join(' ')}:\n${stderr.slice(-2000)}`)
    return stdout.trim()
  }
  const readConfig = async (image: string): Promise<ImageConfig> =>
    JSON.parse(await call('inspect', '--type', 'image', image)).Docker.config

  async function measure(image: string): Promise<number> {
    const id = await call('from', '--pull-never', image)
    const root = await call('mount', id)
    const { stdout } = await run('du', ['--summarize', '--bytes', '--one-file-system', root])
    await call('rm', id)
    return Number.parseInt(stdout, 10)
  }

  return {
    name: 'buildah',

    async answers() {
      return process.getuid?.() === 0 && (await run('buildah', [...storage, 'info'])).status === 0
    },

    async build(image, folder, settings) {
      const args = Object.entries(settings).flatMap(([key, value]) => [
        '--build-arg',
        `${key}=${value}`,
      ])
      await call('bud', '--format', 'docker', '--pull=false', '-t', image, ...args, folder)
    },

    async inspect(image): Promise<ImageFacts> {
      const { User, Volumes, Cmd, Labels, Healthcheck } = await readConfig(image)
      return {
        size: await measure(image),
        user: User,
        volumes: Object.keys(Volumes ?? {}),
        command: Cmd,
        labels: Labels ?? {},
        healthCheck: Healthcheck?.Test.slice(1) ?? [],
        layers: [],
      }
    },

    async start(image, { volume, port, environment }): Promise<Container> {
      const { Env, User, WorkingDir, Cmd } = await readConfig(image)
      const id = await call('from', '--pull-never', image)
      const root = await call('mount', id)
      const folder = volumeFolder(volume)
      if (!existsSync(folder)) {
        mkdirSync(folder)
        const [uid = 0, gid = 0] = User.split(':').map(Number)
        chownSync(folder, uid, gid)
        chmodSync(folder, 0o700)
      }
      const enter = ['setpriv', '--no-new-privs', 'chroot', `--userspec=${User}`, root]
      const variables = Object.entries({ ...environment, PORT: port })
      const added = variables.map(([key, value]) => `${key}=${value}`)
      const settings = ['/usr/bin/env', '-i', ...Env, ...added]
      const place = ['sh', '-c', 'cd "$0" && exec "$@"', WorkingDir]
      const inside = (command: string[]) => [...enter, ...settings, ...place, ...command]

      const confined = ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-ec', CONFINE, 'sh']
      const child = spawn('unshare', [...confined, ...inside(Cmd)], {
        env: { ...process.env, ROOT: root, VOLUME: folder },
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      const exited = once(child, 'exit')
      const url = `http://127.0.0.1:${port}`
      await waitUntilReady(url).catch(async (error) => {
        child.kill('SIGKILL')
        await call('rm', id)
        throw error
      })
      const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
      const first = Number.parseInt(children, 10)
      return {
        url,
        exec: (...command) =>
          run('nsenter', [`--target=${first}`, '--mount', '--pid', ...inside(command)]),
        async terminate() {
          process.kill(first, 'SIGTERM')
        },
        async remove() {
          const [status] = await exited
          await call('rm', id)
          return Number(status)
        },
      }
    },

    async removeVolume(volume) {
      rmSync(volumeFolder(volume), { recursive: true, force: true })
    },
  }
}
