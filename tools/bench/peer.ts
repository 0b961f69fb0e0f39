/**
 * The site's peer, as the documentation of its packages shows: it sends the site's home page, and stores each message in SQLite,
 * and a hit of its sender before it, as a limit does.
 */
import { DatabaseSync } from 'node:sqlite'
import cookieParser from 'cookie-parser'
import express from 'express'
import helmet from 'helmet'
import { pinoHttp } from 'pino-http'
import { send } from '../harness/client.ts'

const [site = '', path = ''] = process.argv.slice(2)
const { headers, bytes } = await send(site, { path: '/', headers: { 'Accept-Encoding': 'br' } })
const names = ['content-type', 'content-encoding', 'cache-control', 'etag', 'vary']

const database = new DatabaseSync(path)
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
database.exec('CREATE TABLE messages (reference INTEGER PRIMARY KEY, content TEXT)')
database.exec('CREATE TABLE hits (address TEXT, hit_at INTEGER)')
const count = database.prepare('INSERT INTO hits (address, hit_at) VALUES (?, ?)')
const insert = database.prepare('INSERT INTO messages (content) VALUES (?)')

const app = express()
app.use(pinoHttp({ quietReqLogger: true, quietResLogger: true }))
app.use(helmet(), cookieParser())
app.get('/', (_req, res) => {
  for (const name of names) res.set(name, headers[name])
  res.send(bytes)
})
app.post('/api/contact', express.json(), ({ body, ip = '' }, res) => {
  count.run(ip, Date.now())
  const { lastInsertRowid } = insert.run(JSON.stringify(body))
  res.json({ reference: String(lastInsertRowid) })
})
const server = app.listen(0, '127.0.0.1', () => console.log(JSON.stringify(server.address())))
