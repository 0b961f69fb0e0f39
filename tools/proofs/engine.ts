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
  /** The last one first; none where the engine does not tell. */
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

export interface StartOptions {
  volume: string
  /** A free port of this machine, on which the site listens in the container, too. */
  port: number
  /** Variables besides the port. */
  environment: Record<string, string>
}

export interface Engine {
  name: string
  /** Whether it is there, and works. */
  answers(): Promise<boolean>
  /** Throws with the end of the build's output when it fails. */
  build(image: string, folder: string, settings: Record<string, string>): Promise<void>
  inspect(image: string): Promise<ImageFacts>
  /** A container on a read-only root, without capabilities, with one volume at /data. */
  start(image: string, options: StartOptions): Promise<Container>
  removeVolume(volume: string): Promise<void>
}

const ATTEMPTS = 100
const BETWEEN_ATTEMPTS = 100

/** Resolves once a site says that it is ready; rejects when it does not within ten seconds. */
export async function waitUntilReady(url: string): Promise<void> {
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
