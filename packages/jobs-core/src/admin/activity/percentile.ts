/** How many took so long: at least 2^(bucket/2) milliseconds and less than 2^((bucket+1)/2). */
export interface BucketRow {
  bucket: number
  jobs: number
}

/**
 * How many milliseconds that share of them took at most. Inside a bucket they are taken to be spread evenly on a scale of powers, so that the answer is at most
 * a factor of √2 away. Pure.
 * @param buckets in ascending order, not empty
 */
export function percentile(buckets: readonly BucketRow[], share: number): number {
  const wanted = share * buckets.reduce((sum, { jobs }) => sum + jobs, 0)
  let below = 0
  for (const { bucket, jobs } of buckets) {
    if (below + jobs >= wanted) return 2 ** ((bucket + (wanted - below) / jobs) / 2)
    below += jobs
  }
  return 2 ** (((buckets.at(-1)?.bucket ?? 0) + 1) / 2)
}
