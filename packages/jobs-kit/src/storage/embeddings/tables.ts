/** The table of migrations/handlers/0015_node_embeddings.sql, without what only its statements name. */
export interface EmbeddingTables {
  node_embeddings: {
    collection_node_id: string
    node_id: string
    model: string
    text_hash: string
    seq: number
    text: string
    start_ms: number | null
    end_ms: number | null
    dimensions: number
    embedding: number[]
    job_id: string | null
  }
}
