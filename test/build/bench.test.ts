import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { drawChart } from '../../bench/chart.ts'
import { openConnection } from '../../bench/connection.ts'
import { type Figure, isMet, medianRatio, write } from '../../bench/figures.ts'
import { writeGet, writePost } from '../../bench/load.ts'
import { writeFindings } from '../../bench/page.ts'
import { interleave } from '../../bench/rounds.ts'

const BENCH = join(import.meta.dirname, '../../bench/main.ts')

test('every part that needs no browser gives figures, in small', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BENCH, '--quick'], {
    env: { ...process.env, NODE_OPTIONS: '' },
    encoding: 'utf8',
    timeout: 90_000,
  })
  expect(stderr).toBe('')
  expect(status).toBe(0)
  for (const name of [
    'GET / (identity), of bare node:http',
    'GET / (br), of Express with helmet',
    'first render, of raw react-dom streaming',
    'posts kept, of single-row durable inserts',
    'post, p99 at 500 a second',
    'cold start to the first 200',
    'time to first byte, page never rendered',
    'memory after 1 000 requests, of that after 200',
    '1 000 connections, of 1 connection',
  ]) {
    expect(stdout).toContain(`  ${name} `)
  }
  expect(stdout).not.toMatch(/NaN|Infinity/)
}, 100_000)

test('an unknown part is refused', () => {
  const { status, stderr } = spawnSync(process.execPath, [BENCH, 'gte'], { encoding: 'utf8' })
  expect(status).toBe(2)
  expect(stderr).toContain('Usage: npm run bench')
})

/** What a connection makes of bytes that come in these pieces: sizes of answers, or what is wrong. */
async function read(...pieces: string[]): Promise<(number | string)[]> {
  const server = createServer((socket) => {
    socket.setNoDelay().once('data', async () => {
      for (const piece of pieces) {
        socket.write(piece)
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      socket.end()
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const told: (number | string)[] = []
  const { port } = server.address() as AddressInfo
  await new Promise<void>((resolve) => {
    const fail = (error: Error) => resolve(void told.push(error.message))
    openConnection(port, (size) => told.push(size), fail).then(({ send }) =>
      send(writeGet({ path: '/' })),
    )
  })
  server.close()
  return told
}

const CLOSED = 'The server has closed a connection'

test('a whole answer is counted, however it is cut', async () => {
  const plain = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nbytes'
  expect(await read(plain)).toEqual([plain.length, CLOSED])
  expect(await read(plain.slice(0, -3), plain.slice(-3))).toEqual([plain.length, CLOSED])
  const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nbytes\r\n0\r\n\r\n'
  expect(await read(chunked)).toEqual([chunked.length, CLOSED])
  expect(await read(chunked.slice(0, -4), chunked.slice(-4))).toEqual([chunked.length, CLOSED])
})

test('what is not a whole 200 is an error', async () => {
  expect(await read('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nbyt')).toEqual([CLOSED])
  expect(await read('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n')).toEqual([CLOSED])
  const [fault] = await read('HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n')
  expect(fault).toMatch(/^Answered: HTTP\/1.1 503/)
  const [excess] = await read('HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nbytes')
  expect(excess).toBe('An answer was longer than it said')
})

test('each post comes from an address of its own, with a text of its own', () => {
  const posts = [1, 2, 70_000].map((n) => writePost(n).toString())
  const addresses = posts.map((post) => /X-Forwarded-For: (.*)\r\n/.exec(post)?.[1])
  expect(addresses).toEqual(['10.0.0.1', '10.0.0.2', '10.1.17.112'])
  expect(new Set(posts.map((post) => post.split('\r\n\r\n')[1])).size).toBe(3)
})

test('targets are measured in turn, forwards and backwards', async () => {
  const order: string[] = []
  const target = (name: string) => async () => order.push(name)
  const rates = await interleave(2, [target('a'), target('b'), target('c')])
  expect(order.join('')).toBe('abccbaabccba')
  expect(rates).toEqual([
    [3.5, 9.5],
    [3.5, 9.5],
    [3.5, 9.5],
  ])
})

const figure = (value: number, limit?: Figure['limit']): Figure => {
  return { name: 'something', value, unit: 'ms', limit }
}

test('limits are judged, and ratios are by rounds', () => {
  expect(isMet(figure(0.6, { least: 0.6 }))).toBe(true)
  expect(isMet(figure(0.59, { least: 0.6 }))).toBe(false)
  expect(isMet(figure(25, { most: 25 }))).toBe(true)
  expect(isMet(figure(25.1, { most: 25 }))).toBe(false)
  expect(isMet(figure(Number.NaN, { most: 25 }))).toBe(false)
  expect(isMet(figure(1))).toBeUndefined()
  expect(medianRatio([10, 100, 30], [10, 50, 10])).toBe(2)
})

test('figures are written with their units', () => {
  expect(write(12_345.6, '/s')).toBe('12 346/s')
  expect(write(0.615, 'ratio')).toMatch(/^0\.6[12]$/)
  expect(write(0.0412, 'shift')).toBe('0.041')
  expect(write(399.96, 'ms')).toBe('400.0 ms')
})

test('the page shows each figure with its limit, and whether it is met', () => {
  const page = writeFindings(
    [
      {
        title: 'Title',
        how: 'How.',
        figures: [figure(30, { most: 25 }), figure(7)],
        tables: [{ head: ['a', 'b'], rows: [['1', '2']] }],
      },
    ],
    'Conditions.',
  )
  expect(page).toBe(`Conditions.

| figure | measured | limit |  |
| --- | --: | --: | --: |
| something | 30.0 ms | ≤ 25.0 ms | NOT MET |

### Title

How.

| a | b |
| --- | --: |
| 1 | 2 |

- something: 7.0 ms`)
})

test('the chart has a bar for each figure', () => {
  const svg = drawChart({ identity: 0.61, br: 0.62, express: 0.63, script: 84.2 })
  for (const text of ['>0.61<', '>0.62<', '>0.63<', '>84.2<', '>nginx, a file<']) {
    expect(svg).toContain(text)
  }
})
