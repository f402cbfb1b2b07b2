package dev.kudu4j.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The public API of the client is recorded in {@code public-api.txt}: no signature changes or
 * disappears without a change of this file. With WRITE_PUBLIC_API=1 in the environment the test
 * writes the file; CONTRIBUTING.md describes when that is right.
 *
 * <p>The API consists of the public and protected members of the public classes in the packages of
 * the API. Other packages of this module are internal, although some of their classes are public.
 */
class PublicApiTest {
  private static final List<String> PACKAGES =
      List.of("dev.kudu4j", "dev.kudu4j.client", "dev.kudu4j.util");

  private static final Path RECORD = Path.of("public-api.txt");
  private static final String HINT =
      "to change the API on purpose, run with WRITE_PUBLIC_API=1 and review public-api.txt";

  private static final int RELEVANT_MODIFIERS =
      Modifier.PUBLIC | Modifier.PROTECTED | Modifier.STATIC | Modifier.FINAL | Modifier.ABSTRACT;

  @Test
  void signaturesMatchTheRecordedApi() throws Exception {
    List<String> current = new ArrayList<>();
    for (Class<?> type : publicClasses()) {
      current.addAll(describe(type));
    }
    if (System.getenv("WRITE_PUBLIC_API") != null) {
      Files.write(RECORD, current);
    }
    Set<String> now = withTypes(current);
    Set<String> recorded = withTypes(Files.readAllLines(RECORD));
    assertThat(without(recorded, now)).as("gone; " + HINT).isEmpty();
    assertThat(without(now, recorded)).as("new; " + HINT).isEmpty();
  }

  /** The lines, each member with its type in front. */
  private static Set<String> withTypes(List<String> lines) {
    Set<String> all = new LinkedHashSet<>();
    String type = "";
    for (String line : lines) {
      boolean isMember = line.startsWith("  ");
      type = isMember ? type : line;
      all.add(isMember ? type + ": " + line.trim() : line);
    }
    return all;
  }

  private static Set<String> without(Set<String> all, Set<String> others) {
    Set<String> rest = new LinkedHashSet<>(all);
    rest.removeAll(others);
    return rest;
  }

  /** The public classes of the API, nested ones included, ordered by name. */
  private static List<Class<?>> publicClasses()
      throws IOException, URISyntaxException, ClassNotFoundException {
    Path root =
        Path.of(KuduClient.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<Class<?>> classes = new ArrayList<>();
    for (String name : PACKAGES) {
      try (Stream<Path> files = Files.list(root.resolve(name.replace('.', '/')))) {
        for (Path file : files.sorted().toList()) {
          String fileName = file.getFileName().toString();
          if (fileName.endsWith(".class") && !fileName.equals("package-info.class")) {
            String simple = fileName.substring(0, fileName.length() - ".class".length());
            Class<?> type = Class.forName(name + "." + simple, false, classLoader());
            if (isPublic(type)) {
              classes.add(type);
            }
          }
        }
      }
    }
    return classes;
  }

  private static ClassLoader classLoader() {
    return PublicApiTest.class.getClassLoader();
  }

  private static boolean isPublic(Class<?> type) {
    if (type.isAnonymousClass() || type.isLocalClass() || type.isSynthetic()) {
      return false;
    }
    Class<?> outer = type.getDeclaringClass();
    return isVisible(type.getModifiers()) && (outer == null || isPublic(outer));
  }

  private static boolean isVisible(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  private static List<String> describe(Class<?> type) {
    List<String> members = new ArrayList<>();
    for (Field field : type.getDeclaredFields()) {
      if (isVisible(field.getModifiers()) && !field.isSynthetic()) {
        members.add(
            modifiers(field.getModifiers())
                + field.getGenericType().getTypeName()
                + " "
                + field.getName());
      }
    }
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      if (isVisible(constructor.getModifiers()) && !constructor.isSynthetic()) {
        members.add(signature(constructor, "new"));
      }
    }
    for (Method method : type.getDeclaredMethods()) {
      if (isVisible(method.getModifiers()) && !method.isSynthetic()) {
        members.add(
            signature(
                method, method.getGenericReturnType().getTypeName() + " " + method.getName()));
      }
    }
    List<String> lines = new ArrayList<>();
    lines.add(header(type));
    members.stream().sorted().map(member -> "  " + member).forEach(lines::add);
    return lines;
  }

  private static String header(Class<?> type) {
    String kind =
        type.isAnnotation()
            ? "@interface"
            : type.isInterface()
                ? "interface"
                : type.isEnum() ? "enum" : type.isRecord() ? "record" : "class";
    StringBuilder text = new StringBuilder();
    text.append(modifiers(type.getModifiers())).append(kind).append(' ').append(type.getName());
    text.append(typeParameters(type.getTypeParameters()));
    Type parent = type.getGenericSuperclass();
    if (parent != null && parent != Object.class) {
      text.append(" extends ").append(parent.getTypeName());
    }
    String interfaces = names(type.getGenericInterfaces());
    if (!interfaces.isEmpty()) {
      text.append(type.isInterface() ? " extends " : " implements ").append(interfaces);
    }
    return text.toString();
  }

  private static String signature(Executable executable, String name) {
    String parameters = names(executable.getGenericParameterTypes());
    String exceptions = names(executable.getGenericExceptionTypes());
    String typeParameters = typeParameters(executable.getTypeParameters());
    return modifiers(executable.getModifiers())
        + (typeParameters.isEmpty() ? "" : typeParameters + " ")
        + name
        + "("
        + parameters
        + (executable.isVarArgs() ? "..." : "")
        + ")"
        + (exceptions.isEmpty() ? "" : " throws " + exceptions);
  }

  private static String typeParameters(TypeVariable<?>[] parameters) {
    if (parameters.length == 0) {
      return "";
    }
    return Arrays.stream(parameters)
        .map(parameter -> parameter.getName() + " extends " + names(parameter.getBounds()))
        .collect(Collectors.joining(", ", "<", ">"));
  }

  private static String names(Type[] types) {
    return Arrays.stream(types).map(Type::getTypeName).collect(Collectors.joining(", "));
  }

  private static String modifiers(int modifiers) {
    String text = Modifier.toString(modifiers & RELEVANT_MODIFIERS);
    return text.isEmpty() ? "" : text + " ";
  }
}
