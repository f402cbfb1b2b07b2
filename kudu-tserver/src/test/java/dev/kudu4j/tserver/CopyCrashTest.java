package dev.kudu4j.tserver;

import static dev.kudu4j.common.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.proto.tablet.TabletDataState;
import dev.kudu4j.tablet.env.CrashImageFileStore;
import dev.kudu4j.tablet.env.CrashImageFileStore.CrashImage;
import dev.kudu4j.tserver.tablets.HostedTablet;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The crash table of docs/design/tablet-copy.md: a server copies a tablet, gives it up, copies it
 * again and deletes it. After each step it is started from its disk as a kill leaves it, and as a
 * power cut leaves it.
 */
@Timeout(300)
class CopyCrashTest {
  /** The state that a starting server finds. */
  private enum Found {
    NOTHING,
    TOMBSTONE,
    REPLICA,
    FAILED
  }

  @TempDir Path directory;

  @Test
  void everyCrashLeavesATombstoneOrAReplicaThatACopyReplaces() throws IOException {
    Path original = directory.resolve("target");
    CrashImageFileStore files = new CrashImageFileStore(original, directory.resolve("images"));
    try (CopyServer source = new CopyServer(directory.resolve("source"))) {
      source.createTablet();
      source.insert(0, 50);
      source.flush();
      List<CrashImage> copied;
      try (CopyServer target = new CopyServer(original, files)) {
        files.start();
        copyAndBury(target, source);
        copied = files.stop();
        files.start();
        target.delete(TabletDataState.TABLET_DATA_DELETED);
      }
      List<CrashImage> deleted = files.stop().subList(copied.size(), files.stop().size());

      assertThat(startFromImages(copied, source)).containsOnlyKeys(Found.TOMBSTONE, Found.REPLICA);
      assertThat(startFromImages(deleted, source)).containsOnlyKeys(Found.FAILED, Found.NOTHING);
    }
  }

  private static void copyAndBury(CopyServer target, CopyServer source) {
    target.copyFrom(source);
    target.awaitRunning();
    target.delete(TabletDataState.TABLET_DATA_TOMBSTONED);
    target.copyFrom(source);
    target.awaitRunning();
  }

  private static Map<Found, Integer> startFromImages(List<CrashImage> images, CopyServer source) {
    Map<Found, Integer> found = new EnumMap<>(Found.class);
    for (CrashImage image : images) {
      try (CopyServer server = new CopyServer(image.directory())) {
        Found here = what(server.tablet());
        if (here != Found.REPLICA) {
          assertThat(server.copyFrom(source).hasError()).as(image.toString()).isFalse();
          server.awaitRunning();
        }
        assertThat(server.content()).as(image.toString()).isEqualTo(source.content());
        found.merge(here, 1, Integer::sum);
      }
    }
    return found;
  }

  private static Found what(HostedTablet tablet) {
    if (tablet == null) {
      return Found.NOTHING;
    }
    await().until(() -> tablet.isRunning() || tablet.tombstone() != null || tablet.cause() != null);
    return tablet.isRunning()
        ? Found.REPLICA
        : tablet.tombstone() != null ? Found.TOMBSTONE : Found.FAILED;
  }
}
