package dev.kudu4j.master.tables;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.index.ClaimTable;
import dev.kudu4j.common.index.IndexBuckets;
import dev.kudu4j.common.index.IndexDefinition;
import dev.kudu4j.common.index.IndexKind;
import dev.kudu4j.common.partition.HashDimension;
import dev.kudu4j.common.partition.Partition;
import dev.kudu4j.common.partition.PartitionSchema;
import dev.kudu4j.common.partition.TablePartitions;
import dev.kudu4j.common.proto.common.TableTypePB;
import dev.kudu4j.common.proto.index.DerivationPB;
import dev.kudu4j.common.proto.index.IndexPB;
import dev.kudu4j.common.proto.index.IndexProgressPB;
import dev.kudu4j.common.rpc.RateLimitedLog;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.time.HybridClock;
import dev.kudu4j.common.wire.IndexWire;
import dev.kudu4j.common.wire.PartitionWire;
import dev.kudu4j.common.wire.SchemaWire;
import dev.kudu4j.master.catalog.Catalog;
import dev.kudu4j.master.catalog.Ids;
import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.catalog.TabletInfo;
import dev.kudu4j.master.observed.ObservedTablets;
import dev.kudu4j.master.proto.catalog.TableEntryPB;
import dev.kudu4j.tablet.derived.DerivedLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the tables of global indexes as the records of the indexed tables want them: creates and
 * drops them, and follows changes of names, columns, properties and tablets. Each pass compares the
 * records, so whatever a failed master has left undone, the next pass does.
 *
 * <p>A table of an index is dropped, and another one built, if it may have rows of tablets that its
 * base table does not have any more, or lacks changes that are no longer kept. A new tablet of the
 * base table is not created before all tablets of the indexes know that they have to read it.
 *
 * <p>Called by one thread at a time.
 */
public final class IndexTables {
  private static final Logger LOG = LoggerFactory.getLogger(IndexTables.class);
  private static final RateLimitedLog LIMITED = new RateLimitedLog(LOG);

  private final Catalog catalog;
  private final ObservedTablets observed;
  private final TableCreator creator;
  private final TableAlterer alterer;
  private final TableRemover remover;
  private final HybridClock clock;

  /** By id of the index's table: the records that have been compared. */
  private final Map<String, Settled> settled = new HashMap<>();

  private record Settled(TableInfo base, TableInfo table) {}

  IndexTables(
      Catalog catalog,
      ObservedTablets observed,
      TableCreator creator,
      TableAlterer alterer,
      TableRemover remover,
      HybridClock clock) {
    this.catalog = catalog;
    this.observed = observed;
    this.creator = creator;
    this.alterer = alterer;
    this.remover = remover;
    this.clock = clock;
  }

  /** Whether the index has its rows in tablets of its own, which read those of the table. */
  public static boolean isGlobal(IndexPB index) {
    return index.getKind() == IndexKind.GLOBAL.number();
  }

  static boolean hasGlobal(List<IndexPB> indexes) {
    return indexes.stream().anyMatch(IndexTables::isGlobal);
  }

  /** Whether writers of the table claim the values of the index in tablets of its own. */
  static boolean isClaimed(IndexPB index) {
    return index.getKind() == IndexKind.CLAIMED.number();
  }

  private static boolean hasTable(IndexPB index) {
    return isGlobal(index) || isClaimed(index);
  }

  static boolean isIndexTable(TableInfo table) {
    return table.entry().hasDerivation();
  }

  /** The name of an index's table. */
  private static String nameOf(TableInfo base, IndexPB index) {
    return base.name() + "@" + index.getName();
  }

  /**
   * The table of an index; null if there is none yet, or if it has rows of a partition that was
   * dropped from the base table, so it will be built again.
   */
  public static TableInfo find(Catalog catalog, TableInfo base, IndexPB index) {
    TableInfo table = catalog.regularTableByName(nameOf(base, index));
    return table != null && isOf(table, base, index) && hasOnlySources(table, base) ? table : null;
  }

  /** Claims of dropped rows do no harm. */
  private static boolean hasOnlySources(TableInfo table, TableInfo base) {
    return isClaimed(table.entry().getDerivation().getIndex())
        || sources(base).containsAll(table.entry().getDerivation().getSourceTabletIdsList());
  }

  private static boolean isOf(TableInfo table, TableInfo base, IndexPB index) {
    DerivationPB derivation = table.entry().getDerivation();
    return isIndexTable(table)
        && derivation.getIndex().getId() == index.getId()
        && Ids.fromWire(derivation.getBaseTableId()).equals(base.id());
  }

  /**
   * The tablets with the claims of an index, by bucket; empty while they are not all there.
   *
   * @param index of the table
   */
  static List<ByteString> claimTablets(Catalog catalog, TableInfo base, IndexPB index) {
    TableInfo table = find(catalog, base, index);
    return table == null || table.tabletsInCreation() > 0 || table.hasFailed()
        ? List.of()
        : table.tablets().stream().map(tablet -> Ids.toWire(tablet.id())).toList();
  }

  /** The tables of the indexes of a table. */
  static List<TableInfo> all(Catalog catalog, TableInfo base) {
    List<TableInfo> tables = new ArrayList<>();
    for (TableInfo table : catalog.tables()) {
      if (isIndexTable(table)
          && !table.isRemoved()
          && Ids.fromWire(table.entry().getDerivation().getBaseTableId()).equals(base.id())) {
        tables.add(table);
      }
    }
    return tables;
  }

  /** One pass. Returns what it has changed. */
  List<TableChange> reconcile() {
    List<TableChange> changes = new ArrayList<>();
    List<TableInfo> tables = List.copyOf(catalog.tables());
    for (TableInfo table : tables) {
      if (isIndexTable(table) && !table.isRemoved() && !isWanted(table)) {
        attempt(table, () -> remover.removeIndexTable(table.id()), changes);
      }
    }
    for (TableInfo table : tables) {
      if (isLive(table)
          && table.entry().getIndexesList().stream().anyMatch(IndexTables::hasTable)) {
        keep(table, changes);
      }
      if (isLive(table) && table.lacksReplicas()) { // also if its last index has been dropped
        release(table);
      }
    }
    settled.keySet().retainAll(tables.stream().map(TableInfo::id).toList());
    return changes;
  }

  /** Returns whether the change was made, or is not needed. */
  private static boolean attempt(
      TableInfo table, Supplier<TableChange> change, List<TableChange> changes) {
    try {
      TableChange made = change.get();
      if (!made.description().isEmpty()) {
        changes.add(made);
      }
      return true;
    } catch (KuduException e) {
      LIMITED.warn("The indexes of table {} wait: {}", table, e.getMessage());
      return false;
    }
  }

  private static boolean isLive(TableInfo table) {
    return !table.isRemoved() && !table.isSoftDeleted() && !table.hasFailed();
  }

  private boolean isWanted(TableInfo table) {
    DerivationPB derivation = table.entry().getDerivation();
    TableInfo base = catalog.table(Ids.fromWire(derivation.getBaseTableId()));
    // Claims are kept until a table that was deleted softly is dropped: it may be recalled.
    boolean isClaimed = isClaimed(derivation.getIndex());
    return base != null
        && (isClaimed ? !base.isRemoved() : isLive(base))
        && base.entry().getIndexesList().stream().anyMatch(index -> isOf(table, base, index))
        && hasOnlySources(table, base)
        && !isStale(table);
  }

  private boolean isStale(TableInfo table) {
    return table.tablets().stream()
        .flatMap(tablet -> observed.get(tablet.id()).indexes().values().stream())
        .flatMap(List::stream)
        .anyMatch(IndexProgressPB::getStale);
  }

  private static Set<ByteString> sources(TableInfo base) {
    Set<ByteString> sources = new HashSet<>();
    base.tablets().forEach(tablet -> sources.add(Ids.toWire(tablet.id())));
    return sources;
  }

  private void keep(TableInfo base, List<TableChange> changes) {
    List<TableInfo> present = all(catalog, base);
    for (IndexPB index : base.entry().getIndexesList()) {
      if (!hasTable(index)) {
        continue;
      }
      TableInfo table =
          present.stream().filter(one -> isOf(one, base, index)).findFirst().orElse(null);
      if (table == null) {
        attempt(base, () -> create(base, index), changes);
      } else if (!isSettled(base, table)
          && attempt(base, () -> alter(table, base, index), changes)) {
        settled.put(table.id(), new Settled(base, table));
      }
    }
  }

  private TableChange alter(TableInfo table, TableInfo base, IndexPB index) {
    return alterer.alterIndexTable(
        table.id(),
        entry -> {
          describe(entry, base, index);
          describeBuckets(entry, base);
        });
  }

  /**
   * Whether nothing has changed since these records were found to fit. Most tables are, and their
   * schemas and partitions need not be read each second.
   */
  @SuppressWarnings("ReferenceEquality") // each change makes another object
  private boolean isSettled(TableInfo base, TableInfo table) {
    Settled known = settled.get(table.id());
    return known != null && known.base == base && known.table == table;
  }

  private TableChange create(TableInfo base, IndexPB index) {
    IndexDefinition definition = IndexWire.fromWire(index);
    TableEntryPB.Builder entry =
        TableEntryPB.newBuilder()
            .setTableType(TableTypePB.INDEX_TABLE)
            .setDerivation(
                DerivationPB.newBuilder()
                    .setBaseTableId(Ids.toWire(base.id()))
                    .setBuildTimestamp(clock.now()));
    describe(entry, base, index);
    Schema schema = SchemaWire.fromWire(entry.getSchema());
    TablePartitions partitions = partitions(definition, schema, base);
    entry.setPartitioning(PartitioningRecord.write(partitions.schema()));
    describeBuckets(entry, base);
    return creator.createIndexTable(entry, partitions);
  }

  private static TablePartitions partitions(IndexDefinition index, Schema schema, TableInfo base) {
    PartitionSchema partitioning =
        index.isClaimed() ? ClaimTable.partitions(index) : partitionsOfRows(index, base);
    partitioning.validate(schema);
    return TablePartitions.create(
        partitioning, schema, List.of(), List.of(), IndexBuckets.MAX_COUNT);
  }

  private static PartitionSchema partitionsOfRows(IndexDefinition index, TableInfo base) {
    List<HashDimension> dimensions =
        index.buckets().count() == 1 ? List.of() : List.of(dimension(index.buckets(), base));
    return new PartitionSchema(dimensions, List.of(), List.of());
  }

  /** The hash dimensions of a table; none if ranges have their own. */
  private static List<HashDimension> hashDimensions(TableInfo base) {
    PartitionSchema partitioning = PartitioningRecord.read(base.entry().getPartitioning());
    return partitioning.customRanges().isEmpty() ? partitioning.hashDimensions() : List.of();
  }

  /**
   * The hash dimension of an index. If possible it is like one of the base table, so that a tablet
   * of the index has rows of some tablets of the table only.
   */
  private static HashDimension dimension(IndexBuckets buckets, TableInfo base) {
    List<Integer> wanted = buckets.columns().stream().sorted().toList();
    for (HashDimension own : hashDimensions(base)) {
      if (wanted.isEmpty() || own.columnIds().equals(wanted)) {
        return new HashDimension(own.columnIds(), buckets.count(), own.seed());
      }
    }
    Schema schema = SchemaWire.fromWire(base.entry().getSchema());
    return new HashDimension(buckets.hashedColumns(schema), buckets.count(), 0);
  }

  /** Sets everything in the record of an index's table that follows its base table. */
  private static void describe(TableEntryPB.Builder entry, TableInfo base, IndexPB index) {
    IndexDefinition definition = IndexWire.fromWire(index);
    Schema schema = schema(definition, SchemaWire.fromWire(base.entry().getSchema()));
    entry
        .setName(nameOf(base, index))
        .setSchema(SchemaWire.toWire(schema, true))
        .setNextColumnId(1 + schema.columns().stream().mapToInt(ColumnSchema::id).max().orElse(0))
        .setNumReplicas(base.entry().getNumReplicas())
        .setOwner(base.entry().getOwner())
        .setComment("Index " + index.getName() + " of table " + base.name())
        .clearExtraConfigs()
        .putAllExtraConfigs(base.entry().getExtraConfigsMap());
    DerivationPB.Builder derivation = entry.getDerivationBuilder();
    derivation.setIndex(index.toBuilder().clearUniqueness().clearClaimTabletIds());
    if (isClaimed(index)) {
      return;
    }
    List<ByteString> added = new ArrayList<>(sources(base));
    added.removeAll(derivation.getSourceTabletIdsList());
    derivation.addAllSourceTabletIds(added);
  }

  private static Schema schema(IndexDefinition index, Schema base) {
    return index.isClaimed()
        ? ClaimTable.schema(base, index)
        : DerivedLayout.of(base, index.columns(), index.included()).schema();
  }

  /** Says which buckets the sources are, if the index is hashed as they are. */
  private static void describeBuckets(TableEntryPB.Builder entry, TableInfo base) {
    DerivationPB.Builder derivation = entry.getDerivationBuilder();
    if (isClaimed(derivation.getIndex())) {
      return;
    }
    derivation.clearSourceBuckets().clearSourceBucketCount();
    List<HashDimension> own = PartitioningRecord.read(entry.getPartitioning()).hashDimensions();
    List<HashDimension> others = own.isEmpty() ? List.of() : hashDimensions(base);
    for (int i = 0; i < others.size(); i++) {
      if (others.get(i).columnIds().equals(own.get(0).columnIds())
          && others.get(i).seed() == own.get(0).seed()) {
        describeBuckets(derivation, base, i, others.get(i).bucketCount());
        return;
      }
    }
  }

  private static void describeBuckets(
      DerivationPB.Builder derivation, TableInfo base, int dimension, int count) {
    Map<ByteString, Integer> buckets = new HashMap<>();
    for (TabletInfo tablet : base.tablets()) {
      Partition partition = PartitionWire.fromWire(tablet.partition());
      buckets.put(Ids.toWire(tablet.id()), partition.hashBucket(dimension));
    }
    if (buckets.keySet().containsAll(derivation.getSourceTabletIdsList())) {
      derivation.setSourceBucketCount(count);
      derivation
          .getSourceTabletIdsList()
          .forEach(id -> derivation.addSourceBuckets(buckets.get(id)));
    }
  }

  /** Lets the tablets of a table be created that all tablets of its indexes know. */
  private void release(TableInfo base) {
    if (base.tablets().stream().noneMatch(tablet -> tablet.entry().getAwaitsIndexes())) {
      return;
    }
    Set<ByteString> known = new HashSet<>(sources(base));
    for (TableInfo index : all(catalog, base)) {
      if (index.hasFailed() || isClaimed(index.entry().getDerivation().getIndex())) {
        continue; // it reads no rows
      }
      if (index.isAltering() || index.tabletsInCreation() > 0) {
        return;
      }
      known.retainAll(index.entry().getDerivation().getSourceTabletIdsList());
    }
    catalog.change(
        edit -> {
          for (TabletInfo tablet : base.tablets()) {
            TabletInfo now = catalog.tablet(tablet.id());
            if (now != null
                && now.entry().getAwaitsIndexes()
                && known.contains(Ids.toWire(now.id()))) {
              edit.putTablet(now.id(), now.entry().toBuilder().clearAwaitsIndexes().build());
            }
          }
          return TableChange.none(base.id());
        });
  }
}
