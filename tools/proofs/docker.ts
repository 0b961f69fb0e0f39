import { type Container, type Engine, run, waitUntilReady } from './engine.ts'

/** Docker, or Podman, whose commands are the same. */
export function createDocker(name: 'docker' | 'podman'): Engine {
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

    async answers() {
      return (await run(name, ['info'])).status === 0
    },

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

    async start(image, { volume, port, environment }) {
      const safe = [...readOnly, '--cap-drop=ALL', '--security-opt=no-new-privileges']
      const place = ['-v', `${volume}:/data`, '-p', `127.0.0.1:${port}:${port}`]
      const variables = Object.entries({ ...environment, PORT: port })
      const settings = variables.flatMap(([key, value]) => ['-e', `${key}=${value}`])
      const id = await call('run', '-d', ...safe, ...place, ...settings, image)
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
