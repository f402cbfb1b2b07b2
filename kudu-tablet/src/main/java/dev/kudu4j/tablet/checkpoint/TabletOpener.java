package dev.kudu4j.tablet.checkpoint;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tablet.TabletDescriptor;
import dev.kudu4j.tablet.apply.AppliedState;
import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.components.CurrentComponents;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.components.RefCounted;
import dev.kudu4j.tablet.components.RowSetTree;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.file.StoredFile;
import dev.kudu4j.tablet.log.LogPosition;
import dev.kudu4j.tablet.memrowset.MemRowSet;
import dev.kudu4j.tablet.proto.RowSetPB;
import dev.kudu4j.tablet.proto.SuperblockPB;
import dev.kudu4j.tablet.requestcache.RequestCache;
import dev.kudu4j.tablet.superblock.SuperblockFile;
import dev.kudu4j.tablet.superblock.SuperblockMessages;
import dev.kudu4j.tablet.transaction.OpenTransactions;
import dev.kudu4j.tablet.transaction.StagedFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Creates tablets on disk and opens tablets from their superblock. */
public final class TabletOpener {
  private final TabletEnvironment environment;
  private final SuperblockFile superblockFile;

  public TabletOpener(TabletEnvironment environment) {
    this.environment = environment;
    this.superblockFile = new SuperblockFile(environment.files(), environment.directory());
  }

  /**
   * Writes the superblock of a new, empty tablet.
   *
   * @throws KuduException ALREADY_PRESENT if the directory has a tablet; INVALID_ARGUMENT for an
   *     unsupported schema
   */
  public SuperblockPB create(TabletDescriptor descriptor) throws IOException {
    checkSchema(descriptor.schema());
    if (superblockFile.exists()) {
      throw KuduException.alreadyPresent(
          "Directory %s already contains a tablet; open it instead", environment.directory());
    }
    SuperblockPB.Builder message =
        SuperblockPB.newBuilder()
            .setMaxTimestamp(0)
            .setAutoIncrementCounter(0)
            .setNextId(1)
            .setMaxCellBytes(environment.options().maxCellBytes())
            .setMaxKeyBytes(environment.options().maxKeyBytes());
    SuperblockMessages.setDescriptor(message, descriptor);
    SuperblockMessages.setPosition(message, LogPosition.NONE);
    SuperblockPB superblock = message.build();
    environment.crashPoints().reach(CheckpointCrashPoints.BEFORE_FIRST_SUPERBLOCK);
    superblockFile.write(superblock);
    return superblock;
  }

  private static void checkSchema(Schema schema) {
    int keys = schema.keyColumnCount();
    if (keys == 0 || !schema.hasIds()) {
      throw KuduException.invalidArgument(
          "A tablet's schema must have key columns and column ids: %s", schema);
    }
    for (int i = 0; i < schema.columnCount(); i++) {
      ColumnSchema column = schema.column(i);
      if (column.isAutoIncrementing() && (i != keys - 1 || column.type() != DataType.INT64)) {
        throw KuduException.invalidArgument(
            "Auto-incrementing column %s must be the last key column and of type INT64", column);
      }
    }
  }

  /** Reads the superblock and removes files that it does not reference. */
  public SuperblockPB readSuperblock() throws IOException {
    SuperblockPB superblock = superblockFile.read();
    removeGarbage(superblock);
    return superblock;
  }

  private void removeGarbage(SuperblockPB superblock) throws IOException {
    Set<String> named = SuperblockMessages.fileNames(superblock);
    for (String name : environment.files().list(environment.directory())) {
      if (FileNames.isOurs(name) && !named.contains(name)) {
        environment.crashPoints().reach(CheckpointCrashPoints.BEFORE_GARBAGE_DELETE);
        removeIfThere(environment.directory().resolve(name));
      }
    }
  }

  /**
   * Deletes the file if it exists. A scan that outlived the previous instance of the tablet may
   * have removed it already.
   */
  private void removeIfThere(Path file) throws IOException {
    try {
      environment.files().delete(file);
    } catch (NoSuchFileException gone) {
      // Nothing left to remove.
    }
  }

  /**
   * Opens all files that the superblock references, and returns the state at the superblock's log
   * position.
   */
  public AppliedState open(SuperblockPB superblock) throws IOException {
    TabletDescriptor descriptor = SuperblockMessages.descriptor(superblock);
    Map<String, StagedFile> staged = openStaged(superblock);
    Components components;
    try {
      components = openComponents(superblock, descriptor.schema());
    } catch (IOException | RuntimeException e) {
      staged.values().forEach(StoredFile::release);
      throw e;
    }
    return new AppliedState(
        new CurrentComponents(components),
        RequestCache.of(superblock.getClientsList(), environment.requestCacheMemory()),
        OpenTransactions.of(superblock, staged, environment.allocator()),
        descriptor,
        SuperblockMessages.position(superblock),
        superblock.getMaxTimestamp(),
        superblock.getAutoIncrementCounter(),
        superblock.getMaxCellBytes(),
        superblock.getMaxKeyBytes());
  }

  private Map<String, StagedFile> openStaged(SuperblockPB superblock) throws IOException {
    Map<String, StagedFile> files = new LinkedHashMap<>();
    try {
      for (String name : superblock.getStagedFilesList()) {
        files.put(name, StagedFile.open(environment, environment.directory().resolve(name)));
      }
      return files;
    } catch (IOException | RuntimeException e) {
      files.values().forEach(StoredFile::release);
      throw e;
    }
  }

  private Components openComponents(SuperblockPB superblock, Schema schema) throws IOException {
    List<Runnable> releases = new ArrayList<>();
    try {
      RowSetOpener opener = new RowSetOpener(environment, releases);
      List<DiskRowSet> rowSets = new ArrayList<>(superblock.getRowSetsCount());
      for (RowSetPB rowSet : superblock.getRowSetsList()) {
        rowSets.add(opener.open(rowSet));
      }
      RefCounted<MemRowSet> active =
          new RefCounted<>(
              new MemRowSet(
                  environment.allocator(),
                  environment.options().arenaChunkBytes(),
                  schema,
                  SuperblockMessages.descriptor(superblock).indexes()));
      releases.add(active::release);
      return new Components(
          schema, active, null, new RowSetTree(rowSets), superblock.getAncientHistoryMark());
    } finally {
      releases.forEach(Runnable::run); // the components hold their own references, if opened
    }
  }
}
