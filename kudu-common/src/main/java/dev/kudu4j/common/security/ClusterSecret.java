package dev.kudu4j.common.security;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kudu4j.common.status.KuduException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret that the servers of a cluster share. A process that has the secret is a server of the
 * cluster.
 *
 * <p>The secret is never sent. A server proves that it has the secret with {@link #prove}, an
 * HMAC-SHA256 over data that both sides know. The data must include fresh random bytes of both
 * sides, or a proof could be replayed. The domain separates the proofs of different protocols.
 *
 * <p>The file contains one line of at least {@value #MIN_BYTES} bytes, which may have any values.
 * Only its owner may read it. Immutable.
 */
public final class ClusterSecret {
  /** The minimum length of a secret. */
  public static final int MIN_BYTES = 32;

  private static final int MAX_BYTES = 4096;
  private static final String ALGORITHM = "HmacSHA256";
  private static final String OWNER_ONLY = "rw-------";

  private static final Set<PosixFilePermission> OWNERS =
      PosixFilePermissions.fromString("rwx------");

  private final byte[] key;

  private ClusterSecret(byte[] key) {
    this.key = key;
  }

  /** A new random secret. */
  public static ClusterSecret random() {
    byte[] bytes = new byte[MIN_BYTES];
    new SecureRandom().nextBytes(bytes);
    return new ClusterSecret(HexFormat.of().formatHex(bytes).getBytes(US_ASCII));
  }

  /**
   * Reads the secret from a file, without the line end.
   *
   * @throws KuduException NOT_FOUND if there is no file; CONFIGURATION_ERROR if anyone but its
   *     owner has permissions on it, or if the secret is too short or too long
   */
  public static ClusterSecret read(Path file) throws IOException {
    if (!Files.exists(file)) {
      throw KuduException.notFound(
          "There is no cluster secret at %s; copy the file from another server of the cluster",
          file);
    }
    checkPrivate(file);
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file)) {
      bytes = in.readNBytes(MAX_BYTES + 1);
    }
    if (bytes.length > MAX_BYTES) {
      throw KuduException.configuration(
          "The cluster secret %s has more than %d bytes", file, MAX_BYTES);
    }
    int length = bytes.length;
    while (length > 0 && (bytes[length - 1] == '\n' || bytes[length - 1] == '\r')) {
      length--;
    }
    if (length < MIN_BYTES) {
      throw KuduException.configuration(
          "The cluster secret %s has %d bytes; it needs at least %d bytes",
          file, length, MIN_BYTES);
    }
    return new ClusterSecret(Arrays.copyOf(bytes, length));
  }

  private static void checkPrivate(Path file) throws IOException {
    Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
    if (!OWNERS.containsAll(permissions)) {
      throw KuduException.configuration(
          "The permissions of the cluster secret %s (%s) allow access by users other"
              + " than its owner; run chmod 600 %s",
          file, PosixFilePermissions.toString(permissions), file);
    }
  }

  /**
   * Creates the file atomically and durably; only its owner may read it.
   *
   * @throws KuduException ALREADY_PRESENT if the file exists
   */
  public void write(Path file) throws IOException {
    Path directory = file.toAbsolutePath().getParent();
    Path temporary =
        Files.createTempFile(
            directory,
            file.getFileName().toString(),
            ".tmp",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(OWNER_ONLY)));
    try {
      try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
        ByteBuffer line = ByteBuffer.allocate(key.length + 1).put(key).put((byte) '\n').flip();
        while (line.hasRemaining()) {
          channel.write(line);
        }
        channel.force(true);
      }
      Files.createLink(file, temporary); // unlike a rename, this fails if the file exists
    } catch (FileAlreadyExistsException e) {
      throw KuduException.alreadyPresent("The cluster secret %s already exists", file);
    } finally {
      Files.deleteIfExists(temporary);
    }
    try (FileChannel entries = FileChannel.open(directory, StandardOpenOption.READ)) {
      entries.force(true);
    }
  }

  /**
   * Proves that the caller has this secret.
   *
   * @param domain the purpose of the proof
   * @param parts the data to prove; the length of each part is included, so different lists of
   *     parts never collide
   * @return 32 bytes
   */
  public byte[] prove(String domain, byte[]... parts) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      update(mac, domain.getBytes(UTF_8));
      for (byte[] part : parts) {
        update(mac, part);
      }
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("This Java runtime does not have " + ALGORITHM, e);
    }
  }

  private static void update(Mac mac, byte[] part) {
    mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(part.length).flip());
    mac.update(part);
  }

  /**
   * Whether {@link #prove} with this secret returns this proof. The duration of the comparison does
   * not depend on the content of {@code proof}.
   */
  public boolean verify(byte[] proof, String domain, byte[]... parts) {
    return MessageDigest.isEqual(prove(domain, parts), proof);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ClusterSecret secret && MessageDigest.isEqual(key, secret.key);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(key);
  }

  /** Never contains the secret. */
  @Override
  public String toString() {
    return "ClusterSecret";
  }
}
