package dev.kudu4j.tablet.apply;

import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RefusedOperation;
import dev.kudu4j.common.row.RowOperationsReader;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.tablet.components.RowSetTree;
import dev.kudu4j.tablet.delta.RowChange;
import dev.kudu4j.tablet.delta.RowChangeBuilder;
import dev.kudu4j.tablet.log.RequestResult;
import dev.kudu4j.tablet.log.WriteRequest;
import dev.kudu4j.tablet.transaction.OpenTransaction;
import dev.kudu4j.tablet.transaction.OpenTransactions;
import dev.kudu4j.tablet.transaction.StagedRows;
import dev.kudu4j.tablet.unique.UniqueIndex;
import java.io.IOException;
import java.util.BitSet;
import java.util.function.BooleanSupplier;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Applies the rows of one request in order; each row succeeds or fails independently. Allocates
 * nothing per row. The caller holds the writer lock. Reusable.
 */
final class RequestApplier implements AutoCloseable {
  private static final int NONE = -1;
  private final AppliedState state;
  private final BooleanSupplier redacted;
  private final RowMutator mutator;
  private final UniqueRules uniques;
  private final RowLocator locator = new RowLocator();
  private final InsertCells insertCells = new InsertCells();
  private final RowChangeBuilder change = new RowChangeBuilder();
  private final RequestPrefetch prefetch = new RequestPrefetch();
  private final RowOutcomes outcomes = new RowOutcomes();
  private final RowKeys keys;
  private final KeySlice key;

  // Set when a request begins, so not null while its rows are applied.
  @SuppressWarnings("NullAway.Init")
  private RequestColumns columns;

  @SuppressWarnings("NullAway.Init")
  private ArrayCheck arrays;

  @SuppressWarnings("NullAway.Init")
  private RowOperationsReader reader;

  private int rowCount;
  private boolean skippedCells;

  /** The transaction for which rows are staged; null if rows are applied. */
  private @Nullable OpenTransaction staging;

  /** The rows that were staged, by number in the request. */
  private BitSet staged = new BitSet();

  /** Whether rows that a transaction has staged are applied; they cannot fail. */
  private boolean committing;

  /** The schema with which the rows were staged; null for other rows. */
  private @Nullable Schema stagedSchema;

  /** The number of staged rows before this request. */
  private int firstSequence;

  /**
   * @param redacted whether error messages omit cell values
   * @param allocator of the tables of unique indexes
   */
  RequestApplier(AppliedState state, BooleanSupplier redacted, BufferAllocator allocator) {
    this.state = state;
    this.redacted = redacted;
    this.mutator = new RowMutator(state);
    this.keys = new RowKeys(state, insertCells, prefetch, outcomes);
    this.key = keys.key();
    this.uniques = new UniqueRules(state, allocator);
  }

  /** Applies all rows; row numbers in the result count from the start of this request. */
  RequestResult apply(WriteRequest request, long timestamp) throws IOException {
    begin(request, timestamp);
    prefetch(request);
    while (nextRow()) {
      applyRow();
    }
    return outcomes.result(timestamp);
  }

  private void prefetch(WriteRequest request) throws IOException {
    RowSetTree tree = state.components().get().tree();
    if (RequestPrefetch.pays(columns, request.rows().rowsLength(), tree)) {
      prefetch.prefetch(columns, request.rows().reader(), tree);
    }
  }

  /**
   * Checks all rows as {@link #apply} does, against the tablet and the transaction's own rows.
   * Stages the rows that succeed and change something, and holds their keys.
   */
  RequestResult stage(WriteRequest request, long timestamp, OpenTransaction transaction)
      throws IOException {
    begin(request, timestamp);
    String refusal = stagingRefusal();
    if (refusal != null) {
      return refuse(request, timestamp, StatusCode.NOT_SUPPORTED, refusal);
    }
    prefetch(request);
    staging = transaction;
    staged = new BitSet();
    try {
      while (nextRow()) {
        applyRow();
      }
    } finally {
      staging = null;
    }
    if (!staged.isEmpty()) {
      state.transactions().stage(transaction, request, rowCount, staged, columns.schema());
    }
    return outcomes.result(timestamp);
  }

  private @Nullable String stagingRefusal() {
    if (columns.autoIncrementing() != NONE) {
      return RowFailureMessages.NUMBERED_IN_TRANSACTION;
    }
    return state.descriptor().hasEnforcedIndex() ? RowFailureMessages.UNIQUE_IN_TRANSACTION : null;
  }

  /**
   * Applies rows that were staged.
   *
   * @param before the number of staged rows of the transaction before these
   */
  void commit(StagedRows rows, WriteRequest request, long timestamp, int before)
      throws IOException {
    committing = true;
    stagedSchema = rows.schema();
    firstSequence = before;
    try {
      begin(request, timestamp);
      prefetch(request);
      while (nextRow()) {
        if (rows.effective().get(rowCount - 1)) {
          commitRow();
        }
      }
    } finally {
      committing = false;
      stagedSchema = null;
      firstSequence = 0;
    }
  }

  /**
   * Applies a staged row with the columns that the tablet has now, and the defaults that it had.
   * Its key is held, so the row is as it was.
   */
  private void commitRow() throws IOException {
    OperationType type = reader.type();
    if (!keys.find(type, rowCount - 1)) {
      throw KuduException.corruption(
          "Tablet %s: a staged row has no key", state.descriptor().tabletId());
    }
    boolean live = locate().isLive();
    switch (type) {
      case DELETE, DELETE_IGNORE -> {
        if (live) {
          deleteRow(type);
        }
      }
      case UPDATE, UPDATE_IGNORE -> {
        if (live && buildUpdate(type)) {
          updateRow(type);
        }
      }
      default -> {
        if (!live) {
          insertRow(type);
        } else if (buildUpdate(type)) {
          updateRow(type);
        }
      }
    }
  }

  /** Holds the keys of staged rows again, whose request this is. */
  void hold(OpenTransaction transaction, StagedRows rows, WriteRequest request) {
    stagedSchema = rows.schema();
    begin(request, 0);
    stagedSchema = null;
    while (nextRow()) {
      if (rows.effective().get(rowCount - 1) && keys.find(reader.type(), rowCount - 1)) {
        boolean deleted =
            reader.type() == OperationType.DELETE || reader.type() == OperationType.DELETE_IGNORE;
        state.transactions().hold(transaction, key.array(), key.offset(), key.length(), !deleted);
      }
    }
  }

  /**
   * The first transaction, other than the request's, that holds the key of one of its rows, or
   * {@link WriteRequest#NO_TRANSACTION}.
   */
  long blocker(WriteRequest request, long timestamp) {
    begin(request, timestamp);
    while (nextRow()) {
      if (reader.type().isWrite() && keys.find(reader.type(), rowCount - 1)) {
        long holder = state.transactions().holder(key.array(), key.offset(), key.length());
        if (holder != WriteRequest.NO_TRANSACTION && holder != request.transaction()) {
          return holder;
        }
      }
    }
    return WriteRequest.NO_TRANSACTION;
  }

  /** Applies nothing: every row gets the same error. */
  RequestResult refuse(WriteRequest request, long timestamp, StatusCode code, String reason) {
    begin(request, timestamp);
    while (nextRow()) {
      fail(code, reason);
    }
    return outcomes.result(timestamp);
  }

  /** The row count of the last request. */
  int rowCount() {
    return rowCount;
  }

  private void begin(WriteRequest request, long timestamp) {
    Schema schema = state.schema();
    if (columns == null || !columns.fits(schema, request)) {
      columns = new RequestColumns(schema, request.columnIds());
      arrays = new ArrayCheck(columns);
    }
    reader = request.rows().reader();
    insertCells.begin(columns, reader, stagedSchema);
    keys.begin(columns, reader);
    mutator.begin(timestamp);
    uniques.begin(columns, reader, committing);
    outcomes.begin();
    prefetch.clear();
    rowCount = 0;
  }

  /**
   * Moves to the next row; false at the end. Malformed rows are rejected before an entry is
   * appended to the log. If the log contains a malformed row nevertheless, every replica ends the
   * request at this row with the same error.
   */
  private boolean nextRow() {
    try {
      if (!reader.next()) {
        return false;
      }
    } catch (KuduException e) {
      outcomes.failed(rowCount, e.code(), String.valueOf(e.getMessage()));
      rowCount++;
      return false;
    }
    rowCount++;
    return true;
  }

  private void applyRow() throws IOException {
    OperationType type = reader.type();
    if (type == OperationType.REFUSED) {
      refused();
      return;
    }
    if (!type.isWrite()) {
      fail(StatusCode.INVALID_ARGUMENT, "A write cannot contain a row operation of type " + type);
      return;
    }
    if (!keys.find(type, rowCount - 1)) {
      return;
    }
    switch (type) {
      case INSERT, INSERT_IGNORE -> insert(type);
      case UPSERT, UPSERT_IGNORE -> upsert(type);
      case UPDATE, UPDATE_IGNORE -> update(type);
      default -> delete(type);
    }
  }

  /** A row whose value another row has, as the leader has found out before it logged the row. */
  private void refused() {
    OperationType skipped = RefusedOperation.skippedBy(reader.typeNumber());
    if (skipped != null) {
      outcomes.ignored(skipped);
      return;
    }
    fail(
        StatusCode.ALREADY_PRESENT,
        RefusedRows.message(state.descriptor().claimedIndexes(), columns, reader));
  }

  private void insert(OperationType type) throws IOException {
    if (!cellsFit() || !hasRequiredCells()) {
      return;
    }
    if (!isLive()) {
      insertRow(type);
    } else if (type == OperationType.INSERT_IGNORE) {
      outcomes.ignored(type);
    } else {
      fail(StatusCode.ALREADY_PRESENT, RowFailureMessages.KEY_PRESENT);
    }
  }

  /**
   * The row must be a valid insert even if the key exists, because only the lookup decides between
   * insert and update.
   */
  private void upsert(OperationType type) throws IOException {
    if (!cellsFit() || !hasRequiredCells()) {
      return;
    }
    if (!isLive()) {
      insertRow(type);
    } else if (buildUpdate(type)) {
      updateRow(type);
    }
  }

  private void update(OperationType type) throws IOException {
    if (!cellsFit()) {
      return;
    }
    if (!buildUpdate(type)) {
      return;
    }
    if (change.cellCount() == 0) {
      fail(
          StatusCode.INVALID_ARGUMENT,
          RowFailureMessages.noUpdate(
              columns.schema(), key.toByteArray(), redacted.getAsBoolean()));
    } else if (!isLive()) {
      missing(type, OperationType.UPDATE_IGNORE);
    } else {
      updateRow(type);
    }
  }

  private void delete(OperationType type) throws IOException {
    if (hasValueBesideKey()) {
      return;
    }
    if (isLive()) {
      deleteRow(type);
    } else {
      missing(type, OperationType.DELETE_IGNORE);
    }
  }

  private void deleteRow(OperationType type) {
    if (staging == null) {
      change.begin(RowChange.DELETE);
      mutator.delete(locator, sequence(), change);
    } else {
      stageRow(staging, false);
    }
    outcomes.succeeded(type);
  }

  /** Whether the current row exists, for the transaction if rows are staged. */
  private boolean isLive() throws IOException {
    OpenTransactions transactions = state.transactions();
    if (staging != null
        && transactions.holder(key.array(), key.offset(), key.length()) == staging.id()) {
      return transactions.rowExists(key.array(), key.offset(), key.length());
    }
    return locate().isLive();
  }

  private void stageRow(OpenTransaction transaction, boolean exists) {
    state.transactions().hold(transaction, key.array(), key.offset(), key.length(), exists);
    staged.set(rowCount - 1);
  }

  /** Orders the changes of a row with the same timestamp. */
  private int sequence() {
    return firstSequence + reader.rowIndex();
  }

  private void missing(OperationType type, OperationType ignoring) {
    if (type == ignoring) {
      outcomes.ignored(type);
    } else {
      fail(StatusCode.NOT_FOUND, RowFailureMessages.KEY_NOT_FOUND);
    }
  }

  private RowLocator.Location locate() throws IOException {
    return locator.locate(state.components().get(), key, prefetch.isAbsentOnDisk(rowCount - 1));
  }

  private void insertRow(OperationType type) throws IOException {
    if (staging != null) {
      stageRow(staging, true);
      outcomes.succeeded(type);
      return;
    }
    if (!isUnique(type, uniques.violatedByInsert(insertCells, locator))) {
      return;
    }
    if (locator.location() == RowLocator.Location.ABSENT) {
      uniques.inserted(mutator.insert(key, insertCells));
    } else {
      buildReinsert();
      mutator.reinsert(locator, sequence(), change);
      uniques.changed();
    }
    keys.countNumber(type);
    outcomes.succeeded(type);
  }

  private void updateRow(OperationType type) throws IOException {
    if (change.cellCount() > 0 && staging != null) {
      stageRow(staging, true);
    } else if (change.cellCount() > 0) {
      if (!isUnique(type, uniques.violatedByUpdate(locator, change))) {
        return;
      }
      mutator.update(locator, sequence(), change);
      uniques.changed();
    }
    outcomes.succeeded(type);
    if (skippedCells) {
      outcomes.ignored(type);
    }
  }

  /** False after an error, or if the row is ignored, because another row has its value. */
  private boolean isUnique(OperationType type, @Nullable UniqueIndex violated) {
    if (violated == null) {
      return true;
    }
    switch (type) {
      case INSERT_IGNORE, UPSERT_IGNORE, UPDATE_IGNORE -> outcomes.ignored(type);
      default ->
          fail(
              StatusCode.ALREADY_PRESENT,
              RowFailureMessages.notUnique(
                  violated.definition(), columns.schema(), violated.value().toByteArray()));
    }
    return false;
  }

  // Validation.

  private boolean cellsFit() {
    for (int i = 0; i < columns.count(); i++) {
      int index = columns.tabletIndex(i);
      if (index != NONE
          && columns.schema().column(index).type().isVariableLength()
          && reader.hasCell(i)
          && reader.cellLength(i) > state.maxCellBytes()) {
        return fail(
            StatusCode.INVALID_ARGUMENT,
            RowFailureMessages.cellTooLarge(
                columns.schema().column(index), reader.cellLength(i), state.maxCellBytes()));
      }
    }
    String malformed = arrays.firstError(reader);
    return malformed == null || fail(StatusCode.CORRUPTION, malformed);
  }

  private boolean hasRequiredCells() {
    for (int index : columns.required()) {
      int i = columns.requestIndex(index);
      if (i == NONE || !reader.isSet(i)) {
        return failMissing(index);
      }
    }
    return true;
  }

  private boolean hasValueBesideKey() {
    for (int i = 0; i < columns.count(); i++) {
      if (isValue(i) && reader.isSet(i)) {
        ColumnSchema column = columns.schema().column(columns.tabletIndex(i));
        fail(StatusCode.INVALID_ARGUMENT, RowFailureMessages.deleteWithValue(column));
        return true;
      }
    }
    return false;
  }

  /** Whether the request's column exists in the tablet and is not a key column. */
  private boolean isValue(int requestColumn) {
    return columns.tabletIndex(requestColumn) >= columns.schema().keyColumnCount();
  }

  // Construction of changes.

  /** Builds an UPDATE of the cells that are set; false after an error. */
  private boolean buildUpdate(OperationType type) {
    boolean skipImmutable =
        type == OperationType.UPDATE_IGNORE || type == OperationType.UPSERT_IGNORE;
    skippedCells = false;
    change.begin(RowChange.UPDATE);
    for (int i = 0; i < columns.count(); i++) {
      if (!isValue(i) || !reader.isSet(i)) {
        continue;
      }
      ColumnSchema column = columns.schema().column(columns.tabletIndex(i));
      if (!column.isImmutable() || (committing && !skipImmutable)) {
        addCell(column, i);
      } else if (skipImmutable) {
        skippedCells = true;
      } else {
        return fail(StatusCode.IMMUTABLE, RowFailureMessages.immutable(column));
      }
    }
    return true;
  }

  private void addCell(ColumnSchema column, int i) {
    if (reader.isNull(i)) {
      change.addNull(column.id());
    } else {
      change.addCell(column.id(), reader.cellArray(i), reader.cellOffset(i), reader.cellLength(i));
    }
  }

  private void buildReinsert() {
    Schema schema = columns.schema();
    change.begin(RowChange.REINSERT);
    for (int i = schema.keyColumnCount(); i < schema.columnCount(); i++) {
      int id = schema.column(i).id();
      if (insertCells.isNull(i)) {
        change.addNull(id);
      } else {
        change.addCell(
            id, insertCells.cellArray(i), insertCells.cellOffset(i), insertCells.cellLength(i));
      }
    }
  }

  private boolean failMissing(int tabletIndex) {
    ColumnSchema column = columns.schema().column(tabletIndex);
    return fail(StatusCode.INVALID_ARGUMENT, RowFailureMessages.missingValue(column));
  }

  @Override
  public void close() {
    uniques.close();
  }

  /** Counts the current row as failed; returns false. */
  private boolean fail(StatusCode code, String message) {
    outcomes.failed(rowCount - 1, code, message);
    return false;
  }
}
