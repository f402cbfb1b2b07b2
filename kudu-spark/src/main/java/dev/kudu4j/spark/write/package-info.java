/**
 * Writing: rows by upsert, insert, update or delete, and UPDATE, DELETE and MERGE as changes of
 * rows by primary key.
 *
 * <pre>
 *   driver                                      task
 *   KuduWriteBuilder -> KuduWrite               KuduDataWriter   one operation a row
 *     -> KuduBatchWrite                     ->    RowCopier      cells of Spark into cells of Kudu
 *   KuduRowLevelOperation -> KuduDeltaWrite ->  KuduDeltaWriter  updates, deletes, upserts
 *     MovedRows: keys that rows have left         TaskSession    the client's session, its errors
 * </pre>
 *
 * <p>There is no transaction behind it: what a task has written is visible, and a task may be run
 * again or twice at a time. So whatever is not asked for as plain insert or delete is written in a
 * way that may be repeated.
 */
package dev.kudu4j.spark.write;
