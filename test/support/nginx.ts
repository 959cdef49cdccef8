/** nginx with the configuration that operators get, in a folder and on ports of its own. */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../../src/config/project-root.ts'
import { freePort } from '../soak/cluster.ts'
import { makeCertificate } from './certificate.ts'
import { waitUntil } from './live.ts'

/** The program; undefined where it is not installed. */
export const nginx = ['/usr/sbin/nginx', '/usr/local/sbin/nginx'].find((file) => existsSync(file))

/** A running nginx. */
export interface Nginx {
  /** Its address by https, the same without TLS, and that of the redirect; the certificate is its own authority. */
  readonly secure: string
  readonly url: string
  readonly redirect: string
  readonly certificate: string
  stop(): Promise<unknown>
}

/** Checks the configuration and starts it before servers at these addresses. */
export async function startNginx(folder: string, servers: readonly string[]): Promise<Nginx> {
  const [port, securePort, redirectPort] = [await freePort(), await freePort(), await freePort()]
  const certificate = join(folder, 'fullchain.pem')
  const { key, cert } = makeCertificate('DNS:api.shop.example')
  writeFileSync(certificate, cert)
  writeFileSync(join(folder, 'privkey.pem'), key)
  const upstreams = servers.map((url) => `server ${new URL(url).host} max_fails=0;`)
  const conf = readFileSync(join(projectRoot, 'src/server/container/nginx.conf'), 'utf8')
    .replace(/server 127\.0\.0\.1:4000 max_fails=0;\s+server 127\.0\.0\.1:4001 max_fails=0;/, upstreams.join(' '))
    .replace('listen 80;', `listen 127.0.0.1:${redirectPort};`)
    // Where the test runs there may be no IPv6.
    .replaceAll(/listen \[::\]:.*;/g, '')
    .replace('listen 443 ssl', `listen 127.0.0.1:${port};\n  listen 127.0.0.1:${securePort} ssl`)
    .replaceAll('/etc/ssl/commerce-graph', folder)
    .replace('/var/cache/', `${folder}/`)
    .replace('/var/www/html', folder)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  )
  const root = process.getuid?.() === 0 ? 'user root;\n' : ''
  const file = join(folder, 'nginx.conf')
  writeFileSync(
    file,
    `${root}daemon off;\npid ${folder}/pid;\nerror_log stderr crit;\nevents {}\nhttp {\naccess_log off;\n${temporary.join('\n')}\n${conf}}\n`,
  )
  execFileSync(nginx ?? '', ['-t', '-q', '-c', file, '-e', 'stderr'])
  const child = spawn(nginx ?? '', ['-c', file, '-e', 'stderr'], { stdio: 'inherit' })
  const ended = new Promise((done) => child.on('close', done))
  const url = `http://127.0.0.1:${port}`
  await waitUntil(async () => (await fetch(`${url}/health`).catch(() => null))?.ok === true)
  return {
    secure: `https://api.shop.example:${securePort}`,
    url,
    redirect: `http://127.0.0.1:${redirectPort}`,
    certificate,
    stop: () => {
      child.kill('SIGTERM')
      return ended
    },
  }
}
