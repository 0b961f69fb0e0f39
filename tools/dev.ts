/**
 * `npm run dev` runs this under Node's watch mode, which starts it again when a source of the server is saved. It starts the
 * site; when that ends with an error, Vite's overlay shows why.
 */
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { createViteRenderer } from '../server/pages/vite-renderer.ts'
import { ROOT } from './harness/project.ts'

const MAX_ERROR_LENGTH = 3000

async function showError(text: string): Promise<void> {
  // Nothing can be shown if another program uses the port.
  const server = createServer().on('error', () => process.exit(1))
  const { renderer, middleware } = await createViteRenderer(server)
  const [message = '', ...stack] = text.trim().split(/(?=\n +at )/)
  const page = renderer.explainFailure?.({ message, stack: stack.join('') })
  server.on('request', (req, res) =>
    middleware(req, res, () => res.writeHead(500, { 'Content-Type': 'text/html' }).end(page)),
  )
  server.listen(Number(process.env.PORT) || 3000, process.env.HOST || 'localhost')
}

const site = spawn(process.execPath, ['server/main.ts', '--dev'], {
  cwd: ROOT,
  stdio: ['inherit', 'inherit', 'pipe'],
})
let lastErrors = ''
site.stderr.on('data', (chunk) => {
  process.stderr.write(chunk)
  lastErrors = `${lastErrors}${chunk}`.slice(-MAX_ERROR_LENGTH)
})
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.on(signal, () => {
    if (!site.kill(signal)) process.exit()
  })
site.on('close', (code) => {
  if (code) showError(lastErrors)
  else process.exit()
})
