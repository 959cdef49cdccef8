/** A small disk in memory, for tests of what happens when it is full. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Mounts a file system of so many megabytes, and returns its folder; null where that is not permitted. */
export function mountSmallDisk(megabytes: number): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'pipe' })
    return folder
  } catch {
    rmSync(folder, { recursive: true })
    return null
  }
}

/** Removes what mountSmallDisk made. */
export function unmountSmallDisk(folder: string): void {
  execFileSync('umount', ['-l', folder])
  rmSync(folder, { recursive: true, force: true })
}
