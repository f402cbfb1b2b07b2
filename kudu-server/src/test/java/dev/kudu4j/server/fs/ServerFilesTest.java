package dev.kudu4j.server.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerFilesTest {
  @TempDir Path directory;

  private ServerFiles open(String daemon) {
    return ServerFiles.open(
        daemon, directory.resolve("wal"), List.of(), new Random(1), () -> 12345);
  }

  @Test
  void identityStays() {
    Instance first;
    try (ServerFiles files = open("kudu-tserver")) {
      first = files.instance();
      assertThat(files.isNew()).isTrue();
      assertThat(first.uuid()).matches("[0-9a-f]{32}");
      assertThat(first.raftPort()).isEqualTo(12345);
    }
    try (ServerFiles files = open("kudu-tserver")) {
      assertThat(files.isNew()).isFalse();
      assertThat(files.instance()).isEqualTo(first);
    }
  }

  @Test
  void aTabletIsPlacedByItsIdOnly() throws IOException {
    try (ServerFiles files = open("kudu-tserver")) {
      String id = "0".repeat(32);
      Path data = directory.resolve("wal").resolve("data");
      assertThat(files.placeTablet(id)).isEqualTo(data.resolve(id));
      for (String bad : new String[] {"../../victim", "/abs", ".", "..", "", "A".repeat(32)}) {
        assertThatThrownBy(() -> files.placeTablet(bad)).hasMessageContaining("hexadecimal");
        assertThatThrownBy(() -> files.findTablet(bad)).hasMessageContaining("hexadecimal");
      }
      Files.createDirectories(data.resolve("lost+found"));
      Files.createDirectories(data.resolve(id));
      assertThat(files.tablets()).containsExactly(data.resolve(id));
    }
  }

  @Test
  void theUpperBoundOfTheClockSurvivesARestart() throws IOException {
    try (ServerFiles files = open("kudu-tserver")) {
      assertThat(files.clock().ceiling()).isZero();
      files.clock().store(4711L << 12);
    }
    try (ServerFiles files = open("kudu-tserver")) {
      assertThat(files.clock().ceiling()).isEqualTo(4711L << 12);
    }
    Files.write(
        directory.resolve("wal").resolve(ClockFile.FILE_NAME),
        new byte[] {-1, 0, 0, 0, 0, 0, 0, 0});
    assertThatThrownBy(() -> open("kudu-tserver"))
        .hasMessageContaining(ClockFile.FILE_NAME)
        .hasMessageContaining("remove it");
  }

  @Test
  void aSecondServerIsRejected() {
    try (ServerFiles files = open("kudu-tserver")) {
      assertThatThrownBy(() -> open("kudu-tserver")).hasMessageContaining("in use");
      assertThat(files.raftDirectory()).isDirectory();
    }
    open("kudu-tserver").close();
  }

  @Test
  void anotherDaemonIsRejected() {
    open("kudu-master").close();
    assertThatThrownBy(() -> open("kudu-tserver")).hasMessageContaining("belongs to a kudu-master");
    open("kudu-master").close();
  }

  @Test
  void unusableDirectoriesAreReported() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));
    assertThatThrownBy(
            () ->
                ServerFiles.open(
                    "kudu-master", file.resolve("x"), List.of(), new Random(), () -> 1))
        .hasMessageContaining("--fs_wal_dir");
    open("kudu-master").close();
    Files.writeString(directory.resolve("wal/instance"), "uuid=7");
    assertThatThrownBy(() -> open("kudu-master")).hasMessageContaining("instance");
  }

  private ServerFiles openWith(String... data) {
    List<Path> paths = Stream.of(data).map(directory::resolve).toList();
    return ServerFiles.open(
        "kudu-tserver", directory.resolve("wal"), paths, new Random(), () -> 12345);
  }

  @Test
  void aDataDirectoryThatIsNotMountedIsReported() throws IOException {
    openWith("a", "b").close();
    Path unmounted = Files.move(directory.resolve("b"), directory.resolve("elsewhere"));
    assertThatThrownBy(() -> openWith("a", "b"))
        .hasMessageContaining(directory.resolve("b").toString())
        .hasMessageContaining("Is its disk mounted?");
    assertThat(directory.resolve("b")).as("nothing is made in its place").doesNotExist();
    Files.createDirectories(directory.resolve("b"));
    assertThatThrownBy(() -> openWith("a", "b")).hasMessageContaining("contains no data");
    assertThatThrownBy(() -> openWith("a")).hasMessageContaining("not among --fs_data_dirs");
    openWith("elsewhere", "a").close(); // mounted at another path
    Files.delete(directory.resolve("b"));
    Files.move(unmounted, directory.resolve("b"));
    openWith("a", "b").close();
  }

  @Test
  void aNewDataDirectoryIsAdded() {
    openWith("a").close();
    openWith("a", "b").close();
    assertThatThrownBy(() -> openWith("a")).hasMessageContaining("not among --fs_data_dirs");
  }

  @Test
  void dataDirectoriesOfAnotherServerAreRefused() {
    openWith("a").close();
    assertThatThrownBy(
            () ->
                ServerFiles.open(
                    "kudu-tserver",
                    directory.resolve("wal of another"),
                    List.of(directory.resolve("a")),
                    new Random(),
                    () -> 1))
        .hasMessageContaining("belongs to server");
  }

  @Test
  void aLostDataDirectoryIsRemovedOnlyOnRequest() throws IOException {
    openWith("a", "b").close();
    Path wal = directory.resolve("wal");
    List<Path> wanted = List.of(directory.resolve("a"), directory.resolve("c"));
    assertThatThrownBy(() -> ServerFiles.updateDataDirectories(wal, wanted, false, new Random()))
        .hasMessageContaining(directory.resolve("b").toString())
        .hasMessageContaining("--force");
    openWith("a", "b").close();
    assertThat(ServerFiles.updateDataDirectories(wal, wanted, true, new Random()))
        .containsExactly(directory.resolve("b"));
    openWith("a", "c").close();
  }

  @Test
  void tabletsAreSpreadAndFound() throws IOException {
    List<Path> data = List.of(directory.resolve("a"), directory.resolve("b"));
    try (ServerFiles files =
        ServerFiles.open("kudu-tserver", directory, data, new Random(), () -> 1)) {
      Path first = Files.createDirectory(files.placeTablet("1".repeat(32)));
      Path second = Files.createDirectory(files.placeTablet("2".repeat(32)));
      assertThat(first.getParent()).isNotEqualTo(second.getParent());
      assertThat(files.tablets()).containsExactlyInAnyOrder(first, second);
      assertThat(files.findTablet("2".repeat(32))).isEqualTo(second);
      assertThat(files.findTablet("3".repeat(32))).isNull();
    }
  }
}
