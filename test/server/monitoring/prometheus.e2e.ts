import { execFile, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { projectRoot } from '../../../src/config/project-root.ts'
import { useDatabase } from '../../support/database.ts'
import { codeBlocks, readPage } from '../../support/markdown.ts'
import { METRICS_TOKEN, scrape } from '../../support/metrics.ts'
import { useServer } from '../../support/server.ts'

const folder = join(projectRoot, 'src/server/monitoring')
const dashboard = JSON.parse(readFileSync(join(folder, 'dashboard.json'), 'utf8')) as {
  panels: { targets: { expr: string }[] }[]
}
const expressions = dashboard.panels.flatMap(({ targets }) =>
  targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '1m')),
)
const alerts = readFileSync(join(folder, 'alerts.yml'), 'utf8')
const isInstalled =
  spawnSync('prometheus', ['--version']).status === 0 && spawnSync('promtool', ['--version']).status === 0

const database = useDatabase()
const server = useServer(database, { config: { metricsToken: METRICS_TOKEN } })
const work = mkdtempSync(join(tmpdir(), 'prometheus-'))
afterAll(() => rmSync(work, { recursive: true, force: true }))

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const socket = createServer().listen(0, '127.0.0.1', () => {
      const address = socket.address()
      socket.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

test('the dashboard and the alert rules ask for metrics that the server has', async () => {
  const { text } = await server.rest('GET', '/metrics', { token: METRICS_TOKEN })
  const known = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map((match) => match[1] ?? ''))
  const named = [...`${alerts}\n${expressions.join('\n')}`.matchAll(/\b(?:commerce|nodejs|process)_\w+/g)].map(
    ([name]) => name.replace(/_(bucket|count|sum)$/, ''),
  )
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((name) => !known.has(name))).toEqual([])
})

test.skipIf(!isInstalled)('promtool accepts the alert rules [needs Prometheus]', async () => {
  const { stdout } = await promisify(execFile)('promtool', [
    'check',
    'rules',
    '--lint-fatal',
    join(folder, 'alerts.yml'),
  ])
  expect(stdout).toContain('SUCCESS: 10 rules found')
})

test.skipIf(!isInstalled)(
  'an alert fires for a server that finds no published release, and when no server is scraped [needs Prometheus]',
  async () => {
    const labels = 'instance="a:4000", job="commerce-graph"'
    const newest = 'commerce_newest_release_timestamp_seconds'
    const job = 'commerce-graph'
    const quiet = (alertname: string, eval_time: string) => ({ alertname, eval_time, exp_alerts: [] })
    const fires = (alertname: string, eval_time: string, labels: Record<string, string>, summary: string) => ({
      alertname,
      eval_time,
      exp_alerts: [{ exp_labels: { severity: 'critical', ...labels }, exp_annotations: { summary } }],
    })
    const nothing = 'a:4000 finds no published release: its database does not respond, or nothing is published'
    const file = join(work, 'alerts.test.yml')
    const tests = [
      {
        interval: '1m',
        input_series: [
          { series: `up{${labels}}`, values: '1x10 _x20' },
          { series: `${newest}{${labels}}`, values: '5x2 _x20' },
        ],
        alert_rule_test: [
          quiet('CommerceNothingPublished', '2m'),
          fires('CommerceNothingPublished', '10m', { instance: 'a:4000', job }, nothing),
          quiet('CommerceNotScraped', '10m'),
          fires('CommerceNotScraped', '25m', { job }, 'Prometheus scrapes no server'),
        ],
      },
    ]
    writeFileSync(file, JSON.stringify({ rule_files: [join(folder, 'alerts.yml')], tests }))
    const { stdout } = await promisify(execFile)('promtool', ['test', 'rules', file])
    expect(stdout).toContain('SUCCESS')
  },
)

test.skipIf(!isInstalled)(
  'the configuration that README gives asks both processes with the token, and has the alert rules [needs Prometheus]',
  async () => {
    const readme = readPage('src/server/monitoring/README.md')
    const [config = ''] = codeBlocks(readme, 'yaml')
    const file = join(work, 'readme.yml')
    const token = join(work, 'metrics-token')
    const [commands = ''] = codeBlocks(readme, 'sh')
    const here = (text: string) =>
      text
        .replace('/opt/commerce-graph', projectRoot)
        .replaceAll('/etc/prometheus/metrics-token', token)
        .replace('/etc/prometheus/prometheus.yml', file)
        .replace(' -g prometheus', '')
        .replace(/^systemctl .*\n/m, '')
    writeFileSync(file, here(config))
    const { stdout } = await promisify(execFile)('bash', ['-ec', `METRICS_TOKEN=${METRICS_TOKEN}\n${here(commands)}`])
    expect(stdout).toContain('SUCCESS: 10 rules found')
    expect(readFileSync(token, 'utf8')).toBe(METRICS_TOKEN)
  },
)

test.skipIf(!isInstalled)(
  'Prometheus scrapes the server and runs each expression of the dashboard [needs Prometheus]',
  async () => {
    const port = await freePort()
    const target = server.url.replace('http://', '')
    const config = {
      scrape_configs: [
        {
          job_name: 'commerce-graph',
          scrape_interval: '1s',
          authorization: { credentials: METRICS_TOKEN },
          static_configs: [{ targets: [target] }],
        },
      ],
      rule_files: [join(folder, 'alerts.yml')],
    }
    // YAML is a superset of JSON.
    writeFileSync(join(work, 'prometheus.yml'), JSON.stringify(config))
    const options = [
      `--config.file=${work}/prometheus.yml`,
      `--storage.tsdb.path=${work}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
    ]
    const prometheus = spawn('prometheus', options, { stdio: 'ignore' })
    const ended = new Promise((resolve) => prometheus.once('exit', resolve))
    const query = async (text: string) => {
      const response = await fetch(
        `http://127.0.0.1:${port}/api/v1/query?${new URLSearchParams({ query: text })}`,
      ).catch(() => null)
      return response?.json() as Promise<
        { status: string; data: { result: { value: [number, string] }[] } } | undefined
      >
    }
    try {
      for (let count = 0; count < 3; count++) await server.gql('query ForPrometheus { __typename }')
      const counted = 'commerce_requests_total{operation="ForPrometheus",outcome="ok"}'
      await expect.poll(async () => (await query(counted))?.data?.result[0]?.value[1], { timeout: 60_000 }).toBe('3')
      expect((await query('up{job="commerce-graph"}'))?.data.result[0]?.value[1]).toBe('1')
      for (const expression of expressions) expect((await query(expression))?.status, expression).toBe('success')
    } finally {
      prometheus.kill()
      await ended
    }
    expect((await scrape(server)).get('commerce_requests_in_flight')).toBe(0)
  },
)
