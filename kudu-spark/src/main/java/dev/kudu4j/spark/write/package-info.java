/**
 * Writing: rows by upsert, insert, update or delete, and UPDATE, DELETE and MERGE as row changes by
 * primary key.
 *
 * <pre>
 *   driver                                      task
 *   KuduWriteBuilder -> KuduWrite               KuduDataWriter   one operation per row
 *     -> KuduBatchWrite                     ->    RowCopier      cells of Spark into cells of Kudu
 *   KuduRowLevelOperation -> KuduDeltaWrite ->  KuduDeltaWriter  updates, deletes, upserts
 *     MovedRows: keys that rows have left         TaskSession    the client's session, its errors
 *     JobTransaction: of kudu.atomic              OwnRows        errors that other attempts explain
 * </pre>
 *
 * <p>A task may be retried or run twice concurrently, and all its attempts write: immediately
 * visible rows, or rows of the job's transaction. Except for plain insert and delete, all writes
 * are therefore idempotent.
 */
package dev.kudu4j.spark.write;
