package dev.kudu4j.mapreduce;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.common.schema.DataType;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.apache.hadoop.conf.Configuration;

/**
 * Finds the jars that contain given classes, and adds these jars to a job.
 *
 * <p>If a class is in a directory, as in a build before packaging, the directory is packed into a
 * temporary jar. SLF4J is omitted, because Hadoop's nodes provide it.
 */
final class DependencyJars {
  /** Configuration key of the jars that Hadoop distributes with a job. */
  static final String JARS_KEY = "tmpjars";

  /** Whether tasks load classes from a job's jars before Hadoop's jars. */
  static final String USER_FIRST_KEY = "mapreduce.job.user.classpath.first";

  /** One class of each library that the client requires. */
  private static final List<String> LIBRARIES =
      List.of(
          "com.google.protobuf.Message",
          "io.netty.buffer.ByteBuf",
          "io.netty.channel.Channel",
          "io.netty.channel.epoll.Epoll",
          "io.netty.channel.unix.Socket",
          "io.netty.handler.codec.ByteToMessageDecoder",
          "io.netty.handler.ssl.SslHandler",
          "io.netty.resolver.AddressResolver",
          "io.netty.util.ReferenceCounted");

  /**
   * Optional native code, which makes the client faster. The jars of these files contain no class.
   */
  private static final List<String> NATIVE =
      List.of(
          "META-INF/native/libnetty_transport_native_epoll_x86_64.so",
          "META-INF/native/libnetty_transport_native_epoll_aarch_64.so");

  private final Set<Path> jars = new LinkedHashSet<>();
  private boolean userFirst;

  /** Adds the jars of this module, of the client and of its libraries. */
  void addClient() throws IOException {
    add(DependencyJars.class);
    add(KuduClient.class);
    add(DataType.class);
    int ours = jars.size();
    for (String name : LIBRARIES) {
      try {
        add(Class.forName(name, false, DependencyJars.class.getClassLoader()));
      } catch (ClassNotFoundException e) {
        throw new IOException(
            "The client's library with " + name + " is not on the class path of this program", e);
      }
    }
    for (String name : NATIVE) {
      URL found = DependencyJars.class.getClassLoader().getResource(name);
      if (found != null) {
        add(rootOf(found, name));
      }
    }
    // Hadoop contains other versions of Netty and protobuf. The shaded jar of this module has its
    // own relocated copies; if our copies are in separate jars, these must come first.
    userFirst = jars.size() > ours;
  }

  /** Adds the jar of a class. Null, and Hadoop and JDK classes, add nothing. */
  void add(Class<?> type) throws IOException {
    if (type == null || type.getName().startsWith("org.apache.hadoop.")) {
      return;
    }
    String file = type.getName().replace('.', '/') + ".class";
    ClassLoader loader = type.getClassLoader();
    URL found = loader == null ? null : loader.getResource(file);
    if (found != null) {
      add(rootOf(found, file));
    }
  }

  private void add(Path root) throws IOException {
    if (!jars.contains(root)) {
      jars.add(root);
    }
  }

  /** The jar or directory in which a file was found. */
  private static Path rootOf(URL found, String file) throws IOException {
    String text = found.toString();
    String root = text.substring(0, text.length() - file.length());
    if (root.startsWith("jar:")) {
      root = root.substring("jar:".length(), root.length() - "!/".length());
    }
    try {
      return Path.of(new URI(root));
    } catch (URISyntaxException | RuntimeException e) {
      throw new IOException(file + " is not in a file on this machine: " + found, e);
    }
  }

  /** Adds the jars to those that the job already has. */
  void addTo(Configuration conf) throws IOException {
    Set<String> all = new LinkedHashSet<>(Arrays.asList(conf.getTrimmedStrings(JARS_KEY)));
    for (Path jar : jars) {
      all.add((Files.isDirectory(jar) ? pack(jar) : jar).toUri().toString());
    }
    conf.setStrings(JARS_KEY, all.toArray(String[]::new));
    if (userFirst && conf.get(USER_FIRST_KEY) == null) {
      conf.setBoolean(USER_FIRST_KEY, true);
    }
  }

  private static Path pack(Path directory) throws IOException {
    Path jar = Files.createTempFile("kudu-mapreduce-", ".jar");
    jar.toFile().deleteOnExit();
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        Stream<Path> tree = Files.walk(directory)) {
      for (Path file : (Iterable<Path>) tree.filter(Files::isRegularFile)::iterator) {
        String name = directory.relativize(file).toString().replace(File.separatorChar, '/');
        out.putNextEntry(new ZipEntry(name));
        Files.copy(file, out);
      }
    }
    return jar;
  }
}
