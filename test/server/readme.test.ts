/** The recipe for Kubernetes in the README of the server: it names paths and periods that the server has. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { loadConfig } from '../../src/config/config.ts'
import { projectRoot } from '../../src/config/project-root.ts'
import { READY_MS } from '../../src/server/app.ts'

const read = (name: string): string => readFileSync(join(projectRoot, 'src', name), 'utf8')
const [, recipe = ''] = /^## Kubernetes\n[\s\S]*?^```yaml\n([\s\S]*?)^```/m.exec(read('server/README.md')) ?? []
/** Seconds that a stop takes at most, beside DRAIN_SECONDS. */
const STOP_SECONDS = Number(/STOP_MS = ([\d_]+)/.exec(read('main.ts'))?.[1]?.replace('_', '')) / 1_000

test('http.drain-before-stop: the recipe for Kubernetes leaves time for the drain and the stop, and probes the right paths', () => {
  const [pod, budget] = parseAllDocuments(recipe).map((document) => document.toJS())
  const { terminationGracePeriodSeconds, containers } = pod.spec
  const [{ env, ports, startupProbe, readinessProbe, livenessProbe }] = containers
  const variables = Object.fromEntries(env.map(({ name, value }: { name: string; value: string }) => [name, value]))
  const { drainSeconds } = loadConfig(variables, () => 'made')
  expect(drainSeconds).toBeGreaterThan(readinessProbe.periodSeconds * readinessProbe.failureThreshold)
  expect(terminationGracePeriodSeconds).toBeGreaterThan(drainSeconds + STOP_SECONDS)
  expect([startupProbe, readinessProbe, livenessProbe].map(({ httpGet }) => httpGet.path)).toEqual([
    '/health',
    '/ready',
    '/health',
  ])
  expect(readinessProbe.timeoutSeconds * 1_000).toBeGreaterThan(READY_MS)
  expect(ports[0].containerPort).toBe(4000)
  expect([budget.kind, budget.spec.maxUnavailable]).toEqual(['PodDisruptionBudget', 1])
})

test('the compose file leaves time for the drain and the stop of the container', () => {
  const drain = Number(/DRAIN_SECONDS=(\d+)/.exec(read('server/container/Dockerfile'))?.[1])
  const grace = Number(/stop_grace_period: (\d+)s/.exec(read('server/container/compose.yaml'))?.[1])
  expect(drain).toBe(5)
  expect(grace).toBeGreaterThan(drain + STOP_SECONDS)
})
