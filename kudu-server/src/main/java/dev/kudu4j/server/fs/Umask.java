package dev.kudu4j.server.fs;

import dev.kudu4j.common.status.KuduException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The permissions that a server's files must not have ({@code --umask}).
 *
 * <p>A JVM cannot set its own umask. The script {@code bin/kudu} sets the umask before its process
 * becomes the daemon, so all files of a daemon have the right mode. This class sets the mode of the
 * server's top directories at each start, even if they already exist. A directory that other users
 * cannot enter protects its content, even if the process was started in another way.
 */
public final class Umask {
  private static final Logger LOG = LoggerFactory.getLogger(Umask.class);
  private static final Pattern OCTAL = Pattern.compile("[0-7]{1,4}");
  private static final int OWNER_BITS = 0700;
  private static final int ALL_BITS = 0777;

  private final int bits;

  private Umask(int bits) {
    this.bits = bits;
  }

  /**
   * @throws KuduException INVALID_ARGUMENT if the text is not a umask, or if the umask restricts
   *     the owner
   */
  public static Umask parse(String octal) {
    if (!OCTAL.matcher(octal).matches()) {
      throw KuduException.invalidArgument("Flag --umask must have octal digits, not '%s'", octal);
    }
    int bits = Integer.parseInt(octal, 8);
    if ((bits & OWNER_BITS) != 0 || bits > ALL_BITS) {
      throw KuduException.invalidArgument(
          "Flag --umask must not restrict the owner's own permissions: '%s'", octal);
    }
    return new Umask(bits);
  }

  /** The permissions of a new directory. */
  Set<PosixFilePermission> directoryPermissions() {
    StringBuilder text = new StringBuilder();
    for (int bit = 0400; bit != 0; bit >>= 1) {
      boolean granted = (bits & bit) == 0;
      text.append(granted ? "rwxrwxrwx".charAt(text.length()) : '-');
    }
    return PosixFilePermissions.fromString(text.toString());
  }

  /**
   * Creates missing directories and removes denied permissions from existing ones. A failure is
   * only logged; if the directory is unusable, its later use fails.
   */
  public void protect(List<Path> directories) {
    Set<PosixFilePermission> allowed = directoryPermissions();
    FileAttribute<?> mode = PosixFilePermissions.asFileAttribute(allowed);
    for (Path directory : directories) {
      try {
        Files.createDirectories(directory, mode);
        restrict(directory, allowed);
      } catch (IOException | UnsupportedOperationException e) {
        LOG.warn("The permissions of {} could not be restricted: {}", directory, e.toString());
      }
    }
  }

  private static void restrict(Path directory, Set<PosixFilePermission> allowed)
      throws IOException {
    Set<PosixFilePermission> now = Files.getPosixFilePermissions(directory);
    if (!allowed.containsAll(now)) {
      EnumSet<PosixFilePermission> kept = EnumSet.copyOf(allowed);
      kept.retainAll(now);
      Files.setPosixFilePermissions(directory, kept);
      LOG.info(
          "Permissions of {} restricted from {} to {}",
          directory,
          PosixFilePermissions.toString(now),
          PosixFilePermissions.toString(kept));
    }
  }
}
