package dev.kudu4j.tools.fs;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.file.FileKind;
import dev.kudu4j.tablet.file.SealedFile;
import dev.kudu4j.tablet.proto.RowSetPB;
import dev.kudu4j.tablet.proto.SuperblockPB;
import dev.kudu4j.tablet.superblock.NamedFile;
import dev.kudu4j.tablet.superblock.SuperblockFile;
import dev.kudu4j.tablet.superblock.TombstoneFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Lists the files that superblocks refer to, including corrupt and missing files. */
final class Inventory {
  private static final String BROKEN = "broken";
  private static final String MISSING = "missing";

  private final OfflineFiles offline;
  private final List<FileEntry> entries = new ArrayList<>();

  Inventory(OfflineFiles offline) {
    this.offline = offline;
  }

  List<FileEntry> entries() {
    return entries;
  }

  void addTablet(Path directory) throws IOException {
    TabletEnvironment environment = offline.environment(directory);
    String id = directory.getFileName().toString();
    Map<String, Path> present = new HashMap<>();
    for (Path file : ServerDirectories.children(directory)) {
      present.put(file.getFileName().toString(), file);
    }
    if (present.containsKey(TombstoneFile.NAME)) {
      addRest(id, "", present, "of a tombstone");
      return;
    }
    Path superblockPath = present.remove(SuperblockFile.NAME);
    long superblockBytes = superblockPath == null ? 0 : Files.size(superblockPath);
    SuperblockPB superblock;
    try {
      superblock = new SuperblockFile(environment.files(), directory).read();
    } catch (KuduException e) {
      addSuperblock(
          id, "", superblockPath == null ? MISSING : BROKEN, FileEntry.NONE, superblockBytes);
      addRest(id, "", present, "unknown");
      return;
    }
    String table = superblock.getTableName();
    long live = superblock.getRowSetsList().stream().mapToLong(RowSetPB::getLiveRowCount).sum();
    addSuperblock(id, table, "1", live, superblockBytes);
    for (NamedFile file : NamedFile.of(superblock)) {
      present.remove(file.name());
      addData(environment, id, table, file);
    }
    addRest(id, table, present, "garbage");
  }

  private void addSuperblock(String id, String table, String format, long live, long bytes) {
    entries.add(
        new FileEntry(
            id, table, FileEntry.NONE, SuperblockFile.NAME, "superblock", format, live, bytes));
  }

  private void addData(TabletEnvironment environment, String id, String table, NamedFile file)
      throws IOException {
    Path path = environment.directory().resolve(file.name());
    boolean exists = Files.isRegularFile(path);
    String format = exists ? format(environment, path, file.role().kind()) : MISSING;
    long bytes = exists ? Files.size(path) : 0;
    entries.add(
        new FileEntry(
            id,
            table,
            file.rowSetId(),
            file.name(),
            file.role().toString(),
            format,
            file.count(),
            bytes));
  }

  private static String format(TabletEnvironment environment, Path path, FileKind kind)
      throws IOException {
    try (SealedFile file = SealedFile.open(environment, environment.allocator(), path, kind)) {
      return Integer.toString(file.version());
    } catch (KuduException e) {
      return BROKEN;
    }
  }

  private void addRest(String id, String table, Map<String, Path> files, String kind)
      throws IOException {
    for (String name : files.keySet().stream().sorted().toList()) {
      entries.add(
          new FileEntry(
              id,
              table,
              FileEntry.NONE,
              name,
              kind,
              "",
              FileEntry.NONE,
              Files.size(files.get(name))));
    }
  }

  void addRaftLog(Path directory) throws IOException {
    String group = directory.getFileName().toString();
    for (Path file : ServerDirectories.children(directory.resolve("current"))) {
      entries.add(
          new FileEntry(
              group.replace("-", ""),
              "",
              FileEntry.NONE,
              file.getFileName().toString(),
              "Raft log",
              "",
              FileEntry.NONE,
              bytes(file)));
    }
  }

  private static long bytes(Path file) throws IOException {
    try (Stream<Path> all = Files.walk(file)) {
      return all.filter(Files::isRegularFile).mapToLong(each -> each.toFile().length()).sum();
    }
  }
}
