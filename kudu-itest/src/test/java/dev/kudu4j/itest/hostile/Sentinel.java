package dev.kudu4j.itest.hostile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;

/**
 * Files next to the servers' directories that no server may touch.
 *
 * <pre>
 *   root/victim/...                files that attacks try to reach, from inside a data directory or by absolute path
 *   root/cluster/m, t0, t1, t2     the servers' directories
 * </pre>
 *
 * Only the servers' own directories and logs may change under root.
 */
final class Sentinel {
  private final Path root;
  private final Map<String, String> before;

  private Sentinel(Path root) {
    this.root = root;
    this.before = picture();
  }

  static Sentinel plant(Path root) throws IOException {
    Path victim = root.resolve("victim");
    Files.createDirectories(victim.resolve("home/.ssh"));
    Files.writeString(victim.resolve("home/.ssh/authorized_keys"), "ssh-ed25519 AAAA operator\n");
    Files.writeString(victim.resolve("home/thesis.txt"), "the only copy\n");
    Files.createDirectories(victim.resolve("empty"));
    Files.createDirectories(root.resolve("cluster"));
    Files.writeString(root.resolve("cluster/notes"), "next to the servers' directories\n");
    return new Sentinel(root);
  }

  /** The directory tree that attacks aim at. */
  Path victim() {
    return root.resolve("victim");
  }

  /** Descriptions of the changes since the start; empty if there are none. */
  String changes() {
    Map<String, String> now = picture();
    if (now.equals(before)) {
      return "";
    }
    TreeMap<String, String> changes = new TreeMap<>();
    before.forEach((path, hash) -> note(changes, path, now.containsKey(path), hash, now.get(path)));
    now.keySet().stream()
        .filter(path -> !before.containsKey(path))
        .forEach(path -> changes.put(path, "new"));
    return changes.toString();
  }

  private static void note(
      Map<String, String> changes, String path, boolean there, String was, String is) {
    if (!there) {
      changes.put(path, "gone");
    } else if (!was.equals(is)) {
      changes.put(path, "changed");
    }
  }

  private Map<String, String> picture() {
    Map<String, String> picture = new TreeMap<>();
    try {
      Files.walkFileTree(root, new Photographer(picture));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return picture;
  }

  /** Does not enter the servers' directories, whose files change during the visit. */
  private final class Photographer extends SimpleFileVisitor<Path> {
    private final Map<String, String> picture;

    Photographer(Map<String, String> picture) {
      this.picture = picture;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
        throws IOException {
      return isForeign(directory) ? visitFile(directory, attributes) : FileVisitResult.SKIP_SUBTREE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      if (isForeign(file)) {
        picture.put(root.relativize(file).toString(), hash(file));
      }
      return FileVisitResult.CONTINUE;
    }
  }

  private boolean isForeign(Path path) {
    String name = root.relativize(path).toString();
    return !name.matches("cluster/(m|t\\d?)(/.*)?") && !name.matches("cluster/[^/]*\\.log");
  }

  private static String hash(Path path) throws IOException {
    if (Files.isDirectory(path)) {
      return "directory";
    }
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(path));
      return Base64.getEncoder().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
