package dev.kudu4j.client;

import dev.kudu4j.Schema;
import dev.kudu4j.client.cluster.TableTablets;
import dev.kudu4j.common.partition.PartitionSchema;

/** STUB (core engineer; the data engineer adds newInsert() and its kind). An open table. */
public final class KuduTable {
  public String getName() {
    throw new UnsupportedOperationException("STUB");
  }

  public String getTableId() {
    throw new UnsupportedOperationException("STUB");
  }

  public Schema getSchema() {
    throw new UnsupportedOperationException("STUB");
  }

  /** How rows map to partitions, as the wire and the engine know it. */
  PartitionSchema partitions() {
    throw new UnsupportedOperationException("STUB");
  }

  /** Where the table's tablets are, as far as is known. */
  TableTablets tablets() {
    throw new UnsupportedOperationException("STUB");
  }

  /** A new row; an existing key is an error. */
  public Insert newInsert() {
    return new Insert(this);
  }

  /** A new row, unless its key exists. */
  public InsertIgnore newInsertIgnore() {
    return new InsertIgnore(this);
  }

  /** A new row, or a change of the one there. */
  public Upsert newUpsert() {
    return new Upsert(this);
  }

  /** An upsert that leaves immutable cells alone. */
  public UpsertIgnore newUpsertIgnore() {
    return new UpsertIgnore(this);
  }

  /** A change of an existing row. */
  public Update newUpdate() {
    return new Update(this);
  }

  /** A change of a row, if it exists. */
  public UpdateIgnore newUpdateIgnore() {
    return new UpdateIgnore(this);
  }

  /** The removal of an existing row. */
  public Delete newDelete() {
    return new Delete(this);
  }

  /** The removal of a row, if it exists. */
  public DeleteIgnore newDeleteIgnore() {
    return new DeleteIgnore(this);
  }
}
